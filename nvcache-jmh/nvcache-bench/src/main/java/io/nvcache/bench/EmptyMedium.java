// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.bench.contender.BlockNumbering;
import io.nvcache.device.BytelessMedium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;

/** Does nothing at all, not even a check, so that a lookup is measured without its block. */
final class EmptyMedium extends BytelessMedium {
  static final int BLOCK_BYTES = 64;

  private EmptyMedium(long capacityBytes) {
    super(capacityBytes, WriteCost.FREE_REMOVALS);
  }

  /** A medium of a size that costs nothing. */
  static EmptyMedium of(long capacityBytes) {
    return new EmptyMedium(capacityBytes);
  }

  /** A cache on such a medium, with room for so many blocks, that admits them all. */
  static BlockCache cacheFor(int blocks) {
    return cacheFor(blocks, PolicyPreset.ADMIT_ALL);
  }

  /** The same with other policies. */
  static BlockCache cacheFor(int blocks, PolicyPreset policies) {
    long capacityBytes = (long) ALIGNMENT_BYTES * blocks + (8 << 20);
    return BlockCache.builder()
        .medium(new EmptyMedium(capacityBytes))
        .expectedBlockBytes(ALIGNMENT_BYTES)
        .maxBlockBytes(4096)
        .policies(policies)
        .build();
  }

  /** Fills it; the keys that it holds. */
  static int[] fill(BlockCache cache, int blocks) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    for (int key = 0; key < blocks; key++) {
      var unused =
          cache.offer(
              BlockNumbering.fileId(key),
              BlockNumbering.offset(key, BLOCK_BYTES),
              block,
              Source.READ);
    }
    return IntStream.range(0, blocks)
        .filter(key -> lookup(cache, key, block.clear()) == 0)
        .toArray();
  }

  /** What the length of the block found exceeds {@link #BLOCK_BYTES} by: 0. */
  static int lookup(BlockCache cache, long key, ByteBuffer dst) {
    return cache.get(BlockNumbering.fileId(key), BlockNumbering.offset(key, BLOCK_BYTES), dst)
        - BLOCK_BYTES;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) {}

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) {}

  @Override
  public String describe() {
    return "no memory at all";
  }
}
