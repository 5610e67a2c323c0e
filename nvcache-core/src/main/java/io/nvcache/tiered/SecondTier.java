// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The block cache below the DRAM tier, or nothing in its place. */
record SecondTier(@Nullable BlockCache cache, BlockBuffers buffers) {
  /**
   * Looks the block up and copies it once, into memory that the DRAM tier may keep.
   *
   * @param room where a block of the length that the caller gave goes; {@code null} if it gave none
   * @return the block, read-only, or {@code null} on a miss
   */
  @Nullable ByteBuffer get(BlockKey key, @Nullable ByteBuffer room) {
    if (cache == null) {
      return null;
    }
    if (room != null) {
      try {
        int length = cache.get(key.fileId(), key.offset(), room);
        return length == BlockCache.MISS ? null : buffers.keep(room.flip(), room);
      } catch (BufferOverflowException tooShort) {
        // The caller gave too short a length. The pin below knows the true one.
      }
    }
    try (PinnedBlock pin = cache.pin(key.fileId(), key.offset())) {
      return pin == null ? null : buffers.copy(pin);
    }
  }

  OfferResult offer(BlockKey key, ByteBuffer block, Source source) {
    return cache == null
        ? OfferResult.CLOSED
        : cache.offer(key.fileId(), key.offset(), block, source);
  }

  boolean invalidate(BlockKey key) {
    return cache != null && cache.invalidate(key.fileId(), key.offset());
  }

  void invalidateFile(long fileId) {
    if (cache != null) {
      cache.invalidateFile(fileId);
    }
  }

  @Nullable CacheStats stats() {
    return cache == null ? null : cache.stats();
  }

  void close() {
    if (cache != null) {
      cache.close();
    }
  }
}
