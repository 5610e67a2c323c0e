// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import static io.nvcache.tiered.FakeFiles.BLOCK;
import static io.nvcache.tiered.FakeFiles.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.HookedBlockCache;
import io.nvcache.OfferResult;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.Source;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ordering law: what an invalidation has ended never comes back. */
@Timeout(60)
class TieredBlockCacheInvalidationTest {
  private static final long FILE = 3;

  /** The ways to end a block. */
  enum Invalidation {
    BLOCK_ONLY {
      @Override
      void run(TieredBlockCache cache) {
        cache.invalidate(FILE, 0);
      }
    },
    WHOLE_FILE {
      @Override
      void run(TieredBlockCache cache) {
        cache.invalidateFile(FILE);
      }
    };

    abstract void run(TieredBlockCache cache);
  }

  private final FakeFiles files = new FakeFiles();
  private final ReferenceBlockCache reference = new ReferenceBlockCache();
  private final HookedBlockCache second = new HookedBlockCache(reference);
  private final TieredBlockCache cache =
      TieredBlockCache.builder(8 << 20, files).secondTier(second).executor(Runnable::run).build();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() throws InterruptedException {
    cache.close();
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  /** Stops the first call that gets there until it may continue; later calls pass. */
  private static final class Stop implements Runnable {
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public void run() {
      if (calls.getAndIncrement() == 0) {
        reached.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private void assertNoTierHasTheBlock() {
    assertThat(reference.get(FILE, 0, ByteBuffer.allocate(BLOCK))).isEqualTo(BlockCache.MISS);
    assertThat(cache.stats().dramBlocks()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Invalidation.class)
  void shouldKeepTheBytesOfALoadInFlightOutOfBothTiers(Invalidation invalidation) throws Exception {
    Stop loading = new Stop();
    files.afterRead = key -> loading.run();
    Future<ByteBuffer> leader = threads.submit(() -> cache.get(FILE, 0, Source.READ));
    loading.reached.await();
    Future<ByteBuffer> joined = threads.submit(() -> cache.get(FILE, 0, Source.READ));
    while (cache.stats().joinedLoads() < 1) {
      Thread.onSpinWait();
    }

    files.rewrite(FILE, 0);
    invalidation.run(cache); // doesn't wait for the load: this thread would hang

    loading.goOn.countDown();
    assertThat(leader.get()).isEqualTo(block(FILE, 0, 0)); // both asked before
    assertThat(joined.get()).isEqualTo(block(FILE, 0, 0));
    assertNoTierHasTheBlock();
    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 1));
  }

  @ParameterizedTest
  @EnumSource(Invalidation.class)
  void shouldNotLetLaterCallersJoinAStaleLoad(Invalidation invalidation) throws Exception {
    Stop loading = new Stop();
    files.afterRead = key -> loading.run();
    Future<ByteBuffer> stale = threads.submit(() -> cache.get(FILE, 0, Source.READ));
    loading.reached.await();

    files.rewrite(FILE, 0);
    invalidation.run(cache);

    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 1));
    loading.goOn.countDown();
    assertThat(stale.get()).isEqualTo(block(FILE, 0, 0));
    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 1));
    ByteBuffer dst = ByteBuffer.allocate(BLOCK);
    assertThat(reference.get(FILE, 0, dst)).isEqualTo(BLOCK);
    assertThat(dst.flip()).isEqualTo(block(FILE, 0, 1));
    assertThat(files.loads).hasValue(2);
  }

  @ParameterizedTest
  @EnumSource(Invalidation.class)
  void shouldWaitForARunningOfferAndUndoIt(Invalidation invalidation) throws Exception {
    Stop offering = new Stop();
    second.beforeOffer = offering;
    Future<ByteBuffer> leader = threads.submit(() -> cache.get(FILE, 0, Source.READ));
    offering.reached.await();
    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0)); // needn't wait

    files.rewrite(FILE, 0);
    assertWaits(invalidation, offering, leader);

    assertNoTierHasTheBlock();
    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 1));
  }

  @ParameterizedTest
  @EnumSource(Invalidation.class)
  void shouldWaitForARunningOfferOfAWriteAndUndoIt(Invalidation invalidation) throws Exception {
    Stop offering = new Stop();
    second.beforeOffer = offering;
    Future<OfferResult> offer =
        threads.submit(() -> cache.offer(FILE, 0, block(FILE, 0, 0), Source.FLUSH));
    offering.reached.await();
    assertThat(cache.offer(FILE, 0, block(FILE, 0, 0), Source.FLUSH))
        .isEqualTo(OfferResult.MEDIUM_BUSY);
    assertThat(cache.stats().busyOffers()).isEqualTo(1);
    assertThat(cache.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0)); // from the file

    files.rewrite(FILE, 0);
    assertWaits(invalidation, offering, offer);

    assertNoTierHasTheBlock();
  }

  /** Runs the invalidation, sees it wait, lets the offer continue, and sees both end. */
  private void assertWaits(Invalidation invalidation, Stop offering, Future<?> offerer)
      throws Exception {
    Thread invalidator = new Thread(() -> invalidation.run(cache));
    invalidator.start();
    while (invalidator.getState() != Thread.State.TIMED_WAITING) {
      assertThat(invalidator.isAlive()).as("waits for the offer").isTrue();
      Thread.onSpinWait();
    }
    offering.goOn.countDown();
    offerer.get();
    invalidator.join();
  }

  @ParameterizedTest
  @EnumSource(Invalidation.class)
  void shouldNotPromoteWhatTheSecondTierGaveBefore(Invalidation invalidation) throws Exception {
    second.offer(FILE, 0, block(FILE, 0, 0), Source.READ);
    Stop looking = new Stop();
    second.afterLookup = looking;
    Future<ByteBuffer> leader = threads.submit(() -> cache.get(FILE, 0, BLOCK, Source.READ));
    looking.reached.await();

    files.rewrite(FILE, 0);
    invalidation.run(cache);

    looking.goOn.countDown();
    assertThat(leader.get()).isEqualTo(block(FILE, 0, 0));
    assertNoTierHasTheBlock();
    assertThat(cache.get(FILE, 0, BLOCK, Source.READ)).isEqualTo(block(FILE, 0, 1));
  }

  @ParameterizedTest
  @EnumSource(Invalidation.class)
  void shouldKeepCallersThatComeDuringAnInvalidationOutOfTheTiers(Invalidation invalidation)
      throws Exception {
    second.offer(FILE, 0, block(FILE, 0, 0), Source.READ);
    files.rewrite(FILE, 0);
    Stop invalidating = new Stop();
    second.beforeInvalidation = invalidating;
    Future<?> invalidator = threads.submit(() -> invalidation.run(cache));
    invalidating.reached.await();

    // The second tier still has the old bytes, and DRAM has been dealt with.
    assertThat(cache.get(FILE, 0, BLOCK, Source.READ)).isEqualTo(block(FILE, 0, 1));
    assertThat(cache.offer(FILE, 0, block(FILE, 0, 0), Source.FLUSH))
        .isIn(OfferResult.MEDIUM_BUSY, OfferResult.NOT_WORTH_IT);

    invalidating.goOn.countDown();
    invalidator.get();
    assertNoTierHasTheBlock();
  }

  /** A copy of a long block gives the invalidation time to give up before the block is put in. */
  @ParameterizedTest
  @EnumSource(Invalidation.class)
  void shouldHideWhatALateOfferPutsIntoDram(Invalidation invalidation) throws Exception {
    ByteBuffer longBlock = ByteBuffer.allocate(128 << 20);
    Stop offering = new Stop();
    second.beforeOffer = offering;
    AtomicLong now = new AtomicLong();
    try (TieredBlockCache impatient =
        TieredBlockCache.builder(512 << 20, files)
            .secondTier(second)
            .executor(Runnable::run)
            .nanoTime(() -> now.addAndGet(TimeUnit.HOURS.toNanos(1)))
            .build()) {
      Future<OfferResult> offer =
          threads.submit(() -> impatient.offer(FILE, 0, longBlock, Source.READ));
      while (impatient.operationsInFlight() < 2) {
        Thread.onSpinWait();
      }
      invalidation.run(impatient);
      offering.reached.await();

      assertThat(impatient.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0));

      offering.goOn.countDown();
      offer.get();
      assertThat(impatient.get(FILE, 0, Source.READ)).isEqualTo(block(FILE, 0, 0));
      assertThat(impatient.stats().dramBlocks()).as("in use again").isEqualTo(1);
    }
  }

  @Test
  void shouldKeepWhatIsInFlightOutOfAClosedCache() throws Exception {
    Stop loading = new Stop();
    files.afterRead = key -> loading.run();
    Future<ByteBuffer> leader = threads.submit(() -> cache.get(FILE, 0, Source.READ));
    loading.reached.await();

    cache.close();

    loading.goOn.countDown();
    assertThat(leader.get()).isEqualTo(block(FILE, 0, 0));
    assertThat(cache.stats().dramBlocks()).isZero();
  }

  /**
   * Each file has one writer that rewrites a block, or all, and invalidates it; readers of any
   * block must never see a version older than the last one whose invalidation had returned before
   * they asked. The DRAM tier is too small for all blocks, so every path is taken.
   */
  @Test
  void shouldNeverGiveBackAVersionThatWasInvalidated() throws Exception {
    long seed = new Random().nextLong();
    int files2 = 2;
    int blocks = 8;
    int rounds = 20_000;
    AtomicLongArray settled = new AtomicLongArray(files2 * blocks);
    try (TieredBlockCache small =
        TieredBlockCache.builder(6 * (BLOCK + DramTier.HEAP_OVERHEAD_BYTES), files)
            .secondTier(new ReferenceBlockCache())
            .build()) {
      List<Future<?>> all = new ArrayList<>();
      for (int f = 0; f < files2; f++) {
        long file = f;
        Random random = new Random(seed + f);
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < rounds / 4; i++) {
                    write(small, file, random, blocks, settled);
                  }
                }));
      }
      for (int t = 0; t < 3; t++) {
        Random random = new Random(seed + 100 + t);
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    int at = random.nextInt(files2 * blocks);
                    long least = settled.get(at);
                    ByteBuffer got = read(small, at / blocks, at % blocks, random);
                    assertThat(got.getLong(0)).as("seed %d", seed).isGreaterThanOrEqualTo(least);
                    assertThat(got)
                        .isEqualTo(
                            block(at / blocks, (long) (at % blocks) * BLOCK, got.getLong(0)));
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(small.stats().dramHits()).isPositive();
      assertThat(small.stats().secondTier().hits()).isPositive();
    }
  }

  private static ByteBuffer read(TieredBlockCache cache, long file, long index, Random random)
      throws java.io.IOException {
    long offset = index * BLOCK;
    return random.nextBoolean()
        ? cache.get(file, offset, BLOCK, Source.READ)
        : cache.get(file, offset, random.nextInt(4) == 0 ? Source.COMPACTION : Source.READ);
  }

  private void write(
      TieredBlockCache cache, long file, Random random, int blocks, AtomicLongArray settled) {
    if (random.nextInt(8) == 0) {
      for (int i = 0; i < blocks; i++) {
        files.rewrite(file, (long) i * BLOCK);
      }
      cache.invalidateFile(file);
      for (int i = 0; i < blocks; i++) {
        settled.incrementAndGet((int) file * blocks + i);
      }
      return;
    }
    int index = random.nextInt(blocks);
    long offset = (long) index * BLOCK;
    files.rewrite(file, offset);
    cache.invalidate(file, offset);
    settled.incrementAndGet((int) file * blocks + index);
    if (random.nextBoolean()) {
      cache.offer(file, offset, files.current(file, offset), Source.FLUSH);
    }
  }
}
