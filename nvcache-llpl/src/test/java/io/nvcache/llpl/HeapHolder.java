// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A process that caches something in a heap and holds it until it is killed. */
final class HeapHolder {
  private HeapHolder() {}

  @SuppressWarnings("SystemOut") // Its parent listens.
  public static void main(String[] args) throws IOException, InterruptedException {
    try (Medium medium = LlplHeapMedium.create(Path.of(args[0]), 1 << 20)) {
      medium.write(0, ByteBuffer.wrap(new byte[] {42}));
      System.out.println("held");
      Thread.sleep(60_000);
    }
  }
}
