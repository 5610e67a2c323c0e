// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import java.nio.ByteBuffer;

/** Caches one block and finds it again. */
public final class FirstBlock {
  private FirstBlock() {}

  /** Prints what the cache answered. */
  public static void main(String[] arguments) {
    // region first
    try (BlockCache cache = BlockCache.builder().nativeMemory(64L << 20).build()) {
      long fileId = 1; // Names one life of one file: never use it again for another.
      ByteBuffer dst = ByteBuffer.allocateDirect(16 << 10);
      if (cache.get(fileId, 0, dst) == BlockCache.MISS) {
        ByteBuffer block = readFromDisk(); // Yours: 16 KiB from offset 0 of the file.
        OfferResult result = cache.offer(fileId, 0, block, Source.READ);
        System.out.println("offered: " + result);
      }
      int length = cache.get(fileId, 0, dst.clear());
      System.out.println("found " + length + " bytes");
      cache.invalidateFile(fileId); // When the file is deleted; takes constant time.
    }
    // endregion first
  }

  private static ByteBuffer readFromDisk() {
    return ByteBuffer.allocate(16 << 10);
  }
}
