// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.io.IOException;
import java.nio.file.Path;

/** A process that asks for a medium's file, and tells what it was answered. */
public final class FileAsker {
  private FileAsker() {}

  @SuppressWarnings("SystemOut") // Its parent listens.
  public static void main(String[] args) {
    try (LockedFile file = LockedFile.open(Path.of(args[0]))) {
      file.requireLength(0);
      System.out.println("taken");
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }
}
