// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.CacheStats;
import io.nvcache.FileIdRegistry;
import io.nvcache.OfferResult;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import java.nio.ByteBuffer;

/** Caches that take every block, so that as much as possible is read through them. */
final class TestCaches {
  private static final long AMPLE_BYTES = 32 << 20;
  private static final long SCARCE_BYTES = 1 << 20;
  private static final int MIN_EXPECTED_BYTES = 512;
  private static final int MIN_MAX_BYTES = 4 << 10;
  private static final int MIN_BLOCKS = 16;

  private TestCaches() {}

  static LuceneCache empty(int blockBytes) {
    return LuceneCache.builder(blocks(blockBytes, AMPLE_BYTES).build())
        .anyBlockBytes(blockBytes)
        .build();
  }

  /** A small cache that is full of another file's blocks, so that each new one has to evict. */
  static LuceneCache full(int blockBytes) {
    BlockCache blocks = blocks(blockBytes, SCARCE_BYTES).build();
    FileIdRegistry ids = new FileIdRegistry();
    long other = ids.idOf("other");
    ByteBuffer block = ByteBuffer.allocate(blockBytes);
    long offers = 2 * blocks.stats().capacityBytes() / Math.max(MIN_EXPECTED_BYTES, blockBytes);
    for (long i = 0; i < offers; i++) {
      blocks.offer(other, i * blockBytes, block.clear(), Source.READ);
    }
    CacheStats stats = blocks.stats();
    assertThat(stats.evictions() + stats.displacements() + stats.offers(OfferResult.NO_SPACE))
        .as("signs that it is full")
        .isPositive();
    return LuceneCache.builder(blocks).fileIds(ids).anyBlockBytes(blockBytes).build();
  }

  static BlockCacheBuilder blocks(int blockBytes, long capacityBytes) {
    return BlockCache.builder()
        .nativeMemory(Math.max(capacityBytes, (long) MIN_BLOCKS * blockBytes))
        .maxBlockBytes(Math.max(MIN_MAX_BYTES, blockBytes))
        .expectedBlockBytes(Math.max(MIN_EXPECTED_BYTES, blockBytes))
        .policies(PolicyPreset.ADMIT_ALL);
  }

  /** Closes a cache, and finds that nothing is pinned any more. */
  static void close(LuceneCache cache) {
    cache.reading().releaseAll();
    assertThat(cache.blocks().stats().pinnedBytes()).as("bytes still pinned").isZero();
    cache.close();
  }
}
