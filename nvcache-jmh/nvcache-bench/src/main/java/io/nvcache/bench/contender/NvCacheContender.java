// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.Checksum;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.medium.Medium;
import io.nvcache.memory.CopyOrder;
import java.nio.ByteBuffer;

/** This project's cache, admitting everything and evicting by the clock, as the peers do. */
public final class NvCacheContender implements Contender {
  private static final int LEAST_MAX_BLOCK_BYTES = 4096;

  private final BlockCache cache;
  private final int blockBytes;

  private NvCacheContender(BlockCache cache, int blockBytes) {
    this.cache = cache;
    this.blockBytes = blockBytes;
    awaitOrderOfCopies();
  }

  /** The choice comes seconds after the first cache: the first cells would be of two orders. */
  private static void awaitOrderOfCopies() {
    try {
      CopyOrder.awaitChoice();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Caches on a medium, which is closed with the contender. */
  public static NvCacheContender on(Medium medium, int blockBytes) {
    return new NvCacheContender(builder(medium, blockBytes).build(), blockBytes);
  }

  /** The same without checksums where the medium would have them. */
  static NvCacheContender unsummedOn(Medium medium, int blockBytes) {
    BlockCache cache = builder(medium, blockBytes).checksum(Checksum.NONE).build();
    return new NvCacheContender(cache, blockBytes);
  }

  private static BlockCacheBuilder builder(Medium medium, int blockBytes) {
    return BlockCache.builder()
        .medium(medium)
        .expectedBlockBytes(blockBytes)
        .maxBlockBytes(Math.max(LEAST_MAX_BLOCK_BYTES, blockBytes))
        .policies(PolicyPreset.ADMIT_ALL);
  }

  /** Has shadows see this part of the keys. */
  public void sample(double ratio) {
    cache.control().shadows().setSampleRatio(ratio);
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    return cache.get(BlockNumbering.fileId(key), BlockNumbering.offset(key, blockBytes), dst)
        != BlockCache.MISS;
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    int read =
        cache.getRange(
            BlockNumbering.fileId(key), BlockNumbering.offset(key, blockBytes), at, word);
    return read == BlockCache.MISS ? ABSENT : word.getLong(0);
  }

  @Override
  @SuppressWarnings("CheckReturnValue") // Blocks that were not taken are found out by counting.
  public void put(long key, ByteBuffer block) {
    cache.offer(
        BlockNumbering.fileId(key), BlockNumbering.offset(key, blockBytes), block, Source.READ);
  }

  @Override
  public void replace(long key, ByteBuffer block) {
    cache.invalidate(BlockNumbering.fileId(key), BlockNumbering.offset(key, blockBytes));
    put(key, block);
  }

  @Override
  public long metadataBytes() {
    return cache.stats().metadataBytes();
  }

  @Override
  public void close() {
    cache.close();
  }
}
