// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

/**
 * How fine a prediction is, and therefore which sizes it can be made for: a modelled block
 * represents for {@code scale} blocks of the real machine.
 *
 * <pre>
 *   data set   9000 blocks, or more where a scale of 1000 leaves more
 *              2000 blocks, where more would have an hour take too long to model
 *   cache      no more than 4 Mi blocks, no less than 32
 * </pre>
 *
 * @param scale that sizes and durations are divided by
 * @param blockBytes of a block
 */
public record Granularity(int scale, int blockBytes) {
  private static final double FINE_BLOCKS = 9000;
  private static final double FEWEST_BLOCKS = 2000;
  private static final double MOST_CACHE_BLOCKS = 1 << 22;
  private static final int COARSEST_SCALE = 1000;

  /** From here on an hour is modelled within seconds. */
  private static final int QUICK_SCALE = 180;

  /** Fewer are in the way of each other, and less than an extent of the cache. */
  private static final int LEAST_CACHE_BLOCKS = 32;

  private static final int LEAST_PAGE_FRAMES = 16;
  private static final int LEAST_BLOCK_BYTES = 4096;
  private static final int MOST_BLOCK_BYTES = 16 << 20;
  private static final long MIB = 1L << 20;

  /** For a data set and the cache in front of it. */
  static Granularity of(double dataBytes, double nvramBytes, int blockBytes) {
    double blocks = dataBytes / blockBytes;
    double quick = Math.min(QUICK_SCALE, blocks / FEWEST_BLOCKS);
    double forTheCache = nvramBytes / blockBytes / MOST_CACHE_BLOCKS;
    double scale = Math.max(Math.max(blocks / FINE_BLOCKS, quick), forTheCache);
    return new Granularity((int) Math.ceil(Math.min(COARSEST_SCALE, scale)), blockBytes);
  }

  /** For a trace, whose blocks all have its mean length. */
  static Granularity ofTrace(long meanBlockBytes) {
    return new Granularity(
        1, (int) Math.max(LEAST_BLOCK_BYTES, Math.min(MOST_BLOCK_BYTES, meanBlockBytes)));
  }

  /** The smallest cache that can be modelled, in whole MiB. */
  public long leastNvramBytes() {
    return wholeMib(LEAST_CACHE_BLOCKS);
  }

  /** The largest one. */
  public long mostNvramBytes() {
    return (long) ((MOST_CACHE_BLOCKS + 1) * scale * blockBytes);
  }

  /** The smallest page cache. */
  public long leastPageCacheBytes() {
    return wholeMib(LEAST_PAGE_FRAMES);
  }

  private long wholeMib(int blocks) {
    return ((long) blocks * scale * blockBytes + MIB - 1) / MIB * MIB;
  }
}
