// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.nvcache.BlockCache;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long some of the calls of a cache take: {@code nvcache.lookup.time} by {@code
 * result} (hit, miss), and {@code nvcache.offer.time} by {@code result} (admitted, refused), with
 * the 50th, 99th and 99.9th percentile of Micrometer's HdrHistogram.
 *
 * <p>The cache itself has no timers: reading the clock twice costs a third of a small hit. Whoever
 * wants them puts this before the cache; one call in {@code sampleEvery}, drawn at random, is
 * measured, and the others pay for the draw. A timer's count is that of the calls measured.
 *
 * <p>As safe for threads as the cache.
 */
public final class TimedBlockCache extends ForwardingBlockCache {
  private static final double[] PERCENTILES = {0.5, 0.99, 0.999};
  private static final int MAX_SAMPLE_EVERY = 1 << 20;

  private final MeterRegistry registry;
  private final int mask;
  private final Timer hits;
  private final Timer misses;
  private final Timer admitted;
  private final Timer refused;

  /**
   * Stands before a cache.
   *
   * @param cache that calls are passed on to; closed with this
   * @param registry that gets the timers, and whose clock is read
   * @param name the value of the tag {@code cache}, as with {@link NvCacheMetrics}
   * @param sampleEvery one call in so many is measured; a power of two up to 2^20
   * @throws IllegalArgumentException if it is none
   */
  public TimedBlockCache(BlockCache cache, MeterRegistry registry, String name, int sampleEvery) {
    super(cache);
    if (Integer.bitCount(sampleEvery) != 1 || sampleEvery < 0 || sampleEvery > MAX_SAMPLE_EVERY) {
      throw new IllegalArgumentException(
          "sampleEvery is "
              + sampleEvery
              + "; it must be a power of two between 1 and "
              + MAX_SAMPLE_EVERY);
    }
    this.registry = registry;
    this.mask = sampleEvery - 1;
    this.hits = timer("nvcache.lookup.time", "hit", name);
    this.misses = timer("nvcache.lookup.time", "miss", name);
    this.admitted = timer("nvcache.offer.time", "admitted", name);
    this.refused = timer("nvcache.offer.time", "refused", name);
  }

  private Timer timer(String meter, String result, String name) {
    return Timer.builder(meter)
        .description("One call in " + (mask + 1) + ", drawn at random")
        .tags(Tags.of(Tag.of("cache", name), Tag.of("result", result)))
        .publishPercentiles(PERCENTILES)
        .register(registry);
  }

  private boolean isMeasured() {
    return (ThreadLocalRandom.current().nextInt() & mask) == 0;
  }

  private long now() {
    return registry.config().clock().monotonicTime();
  }

  @Override
  public int get(long fileId, long offset, ByteBuffer dst) {
    if (!isMeasured()) {
      return super.get(fileId, offset, dst);
    }
    long start = now();
    int length = super.get(fileId, offset, dst);
    lookedUp(length != MISS, start);
    return length;
  }

  @Override
  public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
    if (!isMeasured()) {
      return super.getRange(fileId, offset, from, dst);
    }
    long start = now();
    int length = super.getRange(fileId, offset, from, dst);
    lookedUp(length != MISS, start);
    return length;
  }

  @Override
  public @Nullable PinnedBlock pin(long fileId, long offset) {
    if (!isMeasured()) {
      return super.pin(fileId, offset);
    }
    long start = now();
    PinnedBlock lease = super.pin(fileId, offset);
    lookedUp(lease != null, start);
    return lease;
  }

  @Override
  public @Nullable PinnedBlock pinOrCopy(long fileId, long offset) {
    if (!isMeasured()) {
      return super.pinOrCopy(fileId, offset);
    }
    long start = now();
    PinnedBlock lease = super.pinOrCopy(fileId, offset);
    lookedUp(lease != null, start);
    return lease;
  }

  private void lookedUp(boolean hit, long start) {
    (hit ? hits : misses).record(now() - start, TimeUnit.NANOSECONDS);
  }

  @Override
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    if (!isMeasured()) {
      return super.offer(fileId, offset, block, source);
    }
    long start = now();
    return offered(super.offer(fileId, offset, block, source), start);
  }

  @Override
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> block, Source source) {
    if (!isMeasured()) {
      return super.offer(fileId, offset, lengthBytes, block, source);
    }
    long start = now();
    return offered(super.offer(fileId, offset, lengthBytes, block, source), start);
  }

  private OfferResult offered(OfferResult result, long start) {
    (result == OfferResult.ADMITTED ? admitted : refused)
        .record(now() - start, TimeUnit.NANOSECONDS);
    return result;
  }
}
