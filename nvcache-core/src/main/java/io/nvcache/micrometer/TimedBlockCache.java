// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.nvcache.BlockCache;
import io.nvcache.BlockRank;
import io.nvcache.FileView;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.ReusablePin;
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
 * <p>The cache itself has no timers: reading the clock twice costs a third of a small hit. A caller
 * that wants them puts this before the cache; one call in {@code sampleEvery}, drawn at random, is
 * measured, and the others pay for the draw. A timer counts the calls measured. The timers are
 * removed when the cache is closed.
 *
 * <p>As safe for threads as the cache.
 */
public final class TimedBlockCache extends ForwardingBlockCache {
  private static final double[] PERCENTILES = {0.5, 0.99, 0.999};
  private static final int MAX_SAMPLE_EVERY = 1 << 20;

  /** Instead of a time; a clock that says just this costs one measurement. */
  private static final long UNMEASURED = Long.MIN_VALUE;

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
    MeterGroup timers = new MeterGroup(registry, cache, Tags.of("cache", name));
    this.hits = timer(timers, "nvcache.lookup.time", "hit", name);
    this.misses = timer(timers, "nvcache.lookup.time", "miss", name);
    this.admitted = timer(timers, "nvcache.offer.time", "admitted", name);
    this.refused = timer(timers, "nvcache.offer.time", "refused", name);
    timers.complete();
    cache.control().addCompanion(timers);
  }

  private Timer timer(MeterGroup timers, String meter, String result, String name) {
    Timer timer =
        Timer.builder(meter)
            .description("One call in " + (mask + 1) + ", drawn at random")
            .tags(Tags.of(Tag.of("cache", name), Tag.of("result", result)))
            .publishPercentiles(PERCENTILES)
            .register(registry);
    timers.add(timer);
    return timer;
  }

  private long now() {
    return registry.config().clock().monotonicTime();
  }

  /** Returns the time, if this call is to be measured. */
  private long start() {
    return (ThreadLocalRandom.current().nextInt() & mask) == 0 ? now() : UNMEASURED;
  }

  private void end(long start, Timer timer) {
    if (start != UNMEASURED) {
      timer.record(now() - start, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public int get(long fileId, long offset, ByteBuffer dst) {
    long start = start();
    int length = super.get(fileId, offset, dst);
    end(start, length == MISS ? misses : hits);
    return length;
  }

  @Override
  public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
    long start = start();
    int length = super.getRange(fileId, offset, from, dst);
    end(start, length == MISS ? misses : hits);
    return length;
  }

  @Override
  public @Nullable PinnedBlock pin(long fileId, long offset) {
    long start = start();
    PinnedBlock pin = super.pin(fileId, offset);
    end(start, pin == null ? misses : hits);
    return pin;
  }

  @Override
  public @Nullable PinnedBlock pinOrCopy(long fileId, long offset) {
    long start = start();
    PinnedBlock pin = super.pinOrCopy(fileId, offset);
    end(start, pin == null ? misses : hits);
    return pin;
  }

  /** None: the lookups of its cursors would not be timed. Callers pin, which is. */
  @Override
  public @Nullable FileView view(long fileId, int blockBytes, long lengthBytes) {
    return null;
  }

  @Override
  public ReusablePin reusablePin() {
    return new TimedPin(super.reusablePin());
  }

  @Override
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    long start = start();
    OfferResult result = super.offer(fileId, offset, block, source);
    end(start, result == OfferResult.ADMITTED ? admitted : refused);
    return result;
  }

  @Override
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> block, Source source) {
    long start = start();
    OfferResult result = super.offer(fileId, offset, lengthBytes, block, source);
    end(start, result == OfferResult.ADMITTED ? admitted : refused);
    return result;
  }

  @Override
  public OfferResult offer(
      long fileId,
      long offset,
      int lengthBytes,
      Supplier<ByteBuffer> block,
      Source source,
      BlockRank rank) {
    long start = start();
    OfferResult result = super.offer(fileId, offset, lengthBytes, block, source, rank);
    end(start, result == OfferResult.ADMITTED ? admitted : refused);
    return result;
  }

  /** A lookup is what moves it. */
  private final class TimedPin implements ReusablePin {
    private final ReusablePin pin;

    TimedPin(ReusablePin pin) {
      this.pin = pin;
    }

    @Override
    public int moveTo(long fileId, long offset) {
      long start = start();
      int length = pin.moveTo(fileId, offset);
      end(start, length == MISS ? misses : hits);
      return length;
    }

    @Override
    public int copyRange(int from, ByteBuffer dst) {
      return pin.copyRange(from, dst);
    }

    @Override
    public void unpin() {
      pin.unpin();
    }
  }
}
