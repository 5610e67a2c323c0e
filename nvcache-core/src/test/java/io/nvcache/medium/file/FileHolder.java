// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.io.IOException;
import java.nio.file.Path;

/** A process that holds a medium's file until it is ended. */
public final class FileHolder {
  private FileHolder() {}

  @SuppressWarnings("SystemOut") // Its parent listens.
  public static void main(String[] args) throws IOException, InterruptedException {
    LockedFile file = LockedFile.open(Path.of(args[0]));
    System.out.println("held");
    Thread.sleep(60_000);
    file.close();
  }
}
