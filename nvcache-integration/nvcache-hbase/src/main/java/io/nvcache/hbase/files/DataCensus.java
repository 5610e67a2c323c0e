// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import io.nvcache.CacheStats;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;

/**
 * Estimates how many of the cached blocks hold data. As long as no other block was admitted, all
 * do. From then on a sample is taken: the index lists its blocks in the order of a hash, so the
 * first {@value #SAMPLE} of them represent all, and where there are no more, the count is exact. A
 * census is held at most once a minute. Thread-safe.
 */
public final class DataCensus {
  /**
   * For an error of three hundredths at most, nearly always. A flash medium, or one with checksums,
   * reads a whole block to say what it is.
   */
  private static final int SAMPLE = 1 << 10;

  private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Supplier<Iterator<CachedBlock>> blocks;
  private final LongSupplier nanoTime;
  private volatile boolean metaAdmitted;
  private Shares shares = new Shares(1, 1);
  private long takenAt;
  private boolean taken;

  /** Parts of all blocks, and of their bytes. */
  private record Shares(double ofBlocks, double ofBytes) {}

  public DataCensus(Supplier<Iterator<CachedBlock>> blocks, LongSupplier nanoTime) {
    this.blocks = blocks;
    this.nanoTime = nanoTime;
  }

  public void metaAdmitted() {
    if (!metaAdmitted) {
      metaAdmitted = true;
    }
  }

  public long dataBlocks(CacheStats now) {
    return Math.round(shares().ofBlocks * now.blocks());
  }

  public long dataBytes(CacheStats now) {
    return Math.round(shares().ofBytes * now.blockBytes());
  }

  private synchronized Shares shares() {
    if (!metaAdmitted) {
      return shares;
    }
    long now = nanoTime.getAsLong();
    if (!taken || now - takenAt >= PERIOD_NANOS) {
      shares = sample();
      takenAt = now;
      taken = true;
    }
    return shares;
  }

  private Shares sample() {
    long count = 0;
    long dataCount = 0;
    long bytes = 0;
    long dataBytes = 0;
    Iterator<CachedBlock> sampled = blocks.get();
    while (count < SAMPLE && sampled.hasNext()) {
      CachedBlock block = sampled.next();
      boolean meta = block.getBlockType() != null && !block.getBlockType().isData();
      count++;
      bytes += block.getSize();
      dataCount += meta ? 0 : 1;
      dataBytes += meta ? 0 : block.getSize();
    }
    return count == 0
        ? new Shares(1, 1)
        : new Shares((double) dataCount / count, (double) dataBytes / bytes);
  }
}
