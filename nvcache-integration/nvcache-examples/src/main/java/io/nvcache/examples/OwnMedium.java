// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A cache on your own medium. */
public final class OwnMedium {
  private OwnMedium() {}

  /** Caches a block in a file, and prints its length as read back. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createTempDirectory("nvcache-example");
    try (BlockCache cache = open(directory.resolve("blocks"))) {
      cache.offer(1, 0, ByteBuffer.allocate(4096), Source.READ);
      System.out.println("read " + cache.get(1, 0, ByteBuffer.allocate(4096)) + " bytes");
    } finally {
      Files.delete(directory);
    }
  }

  static BlockCache open(Path file) throws IOException {
    // region own-medium
    return BlockCache.builder().medium(new AsyncFileMedium(file, 64L << 20)).build();
    // endregion own-medium
  }
}
