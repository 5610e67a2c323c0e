// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ZipfRanks;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The default policies on the real engine, beside the paper's where it is them that they have to
 * beat: what is hit, what is written, and how soon a change is caught up with. Time is virtual: a
 * second is {@value #LOOKUPS_PER_SECOND} lookups.
 */
final class DefaultPolicyTest {
  private static final int LENGTH = 256;
  private static final int CAPACITY = 2_048;
  private static final int BLOCKS = 10 * CAPACITY;
  private static final int LOOKUPS_PER_SECOND = 500;
  private static final double TARGET = 0.10;

  /** A cache, and a store's reads and writes through it. */
  private static final class Run implements AutoCloseable {
    private final SplittableRandom random = new SplittableRandom(2022);
    private final ByteBuffer block = ByteBuffer.allocate(LENGTH);
    private final BlockCache cache;
    private final ZipfRanks popularity = new ZipfRanks(BLOCKS, 1);
    private int hottest;
    private long lookups;

    Run(PolicyPreset policies) {
      cache =
          BlockCache.builder()
              .nativeMemory((long) CAPACITY * LENGTH)
              .maxBlockBytes(4096)
              .expectedBlockBytes(LENGTH)
              .smallBypassDramBytes(0)
              .testing(
                  TestHook.hashSeed(7),
                  TestHook.nanoTime(() -> TimeUnit.SECONDS.toNanos(lookups / LOOKUPS_PER_SECOND)))
              .maintainedByCaller()
              .policies(policies)
              .build();
    }

    /** Zipf's law with exponent 1: the rank of a block, 0 the most popular. */
    int rank() {
      return popularity.draw(random);
    }

    boolean read(long number, Source source) {
      boolean hit = cache.get(1, number * LENGTH, block.clear()) != BlockCache.MISS;
      if (!hit) {
        cache.offer(1, number * LENGTH, block.clear(), source);
      }
      if (++lookups % LOOKUPS_PER_SECOND == 0) {
        cache.control().maintain();
      }
      return hit;
    }

    void flush(long number) {
      cache.offer(1, number * LENGTH, block.clear(), Source.FLUSH);
    }

    /** The hit ratio of so many reads by popularity. */
    double readPopular(int count) {
      int hits = 0;
      for (int i = 0; i < count; i++) {
        hits += read((hottest + rank()) % BLOCKS, Source.READ) ? 1 : 0;
      }
      return (double) hits / count;
    }

    /** Other blocks are popular now. */
    void shift() {
      hottest = (hottest + BLOCKS / 2) % BLOCKS;
    }

    long admitted() {
      return cache.stats().offers(OfferResult.ADMITTED);
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PAPER", "PAPER_20", "PAPER_4"})
  void shouldHitMoreThanThePaperForNoMoreWrites(PolicyPreset paper) {
    try (Run ours = new Run(PolicyPreset.DEFAULT);
        Run theirs = new Run(paper)) {
      int lookups = 60 * CAPACITY;
      assertThat(ours.readPopular(lookups)).isGreaterThan(1.05 * theirs.readPopular(lookups));
      assertThat(ours.admitted()).isLessThanOrEqualTo((long) (TARGET * lookups));
    }
  }

  @Test
  void shouldHitMoreThanAlwaysAdmittingForAThirdOfTheWrites() {
    try (Run ours = new Run(PolicyPreset.DEFAULT);
        Run theirs = new Run(PolicyPreset.ADMIT_ALL)) {
      ours.readPopular(60 * CAPACITY);
      theirs.readPopular(60 * CAPACITY);
      assertThat(ours.cache.stats().hits()).isGreaterThan(theirs.cache.stats().hits());
      assertThat(ours.admitted()).isLessThan(theirs.admitted() / 3);

      // Once it is full and knows its blocks.
      long before = ours.admitted();
      long theirsBefore = theirs.admitted();
      assertThat(ours.readPopular(20 * CAPACITY)).isGreaterThan(theirs.readPopular(20 * CAPACITY));
      assertThat(ours.admitted() - before).isLessThan((theirs.admitted() - theirsBefore) / 3);
    }
  }

  @Test
  void shouldSpreadItsWrites() {
    try (Run run = new Run(PolicyPreset.DEFAULT)) {
      int window = CAPACITY / 2;
      for (int i = 0; i < 100; i++) {
        long before = run.admitted();
        int most = before < CAPACITY ? 10 : 3;
        run.readPopular(window);
        if (i == 60) {
          run.shift();
        }
        assertThat((double) (run.admitted() - before) / window)
            .as("writes per lookup in window %s", i)
            .isLessThanOrEqualTo(most * TARGET + 64.0 / window);
      }
    }
  }

  @Test
  void shouldRecoverFromLosingAllItsBlocksInTwoCapacitiesOfLookups() {
    try (Run run = new Run(PolicyPreset.DEFAULT)) {
      run.readPopular(60 * CAPACITY);
      double before = run.readPopular(CAPACITY);
      for (long number = 0; number < BLOCKS; number++) {
        run.cache.invalidate(1, number * LENGTH);
      }
      assertThat(run.cache.stats().usedBytes()).isZero();
      run.readPopular(2 * CAPACITY);
      assertThat(run.readPopular(CAPACITY)).isGreaterThan(0.85 * before);
    }
  }

  @Test
  void shouldFollowANewHotSetTwiceAsFastAsThePaper() {
    int ours = lookupsToFollow(PolicyPreset.DEFAULT);
    assertThat(ours).isLessThanOrEqualTo(10 * CAPACITY);
    assertThat(2 * ours).isLessThanOrEqualTo(lookupsToFollow(PolicyPreset.PAPER));
    assertThat(ours).isLessThanOrEqualTo(lookupsToFollow(PolicyPreset.PAPER_20));
    assertThat(ours).isLessThanOrEqualTo(lookupsToFollow(PolicyPreset.PAPER_4));
  }

  /** Until six tenths are hit, or for a hundred capacities of lookups. */
  private static int lookupsToFollow(PolicyPreset policies) {
    try (Run run = new Run(policies)) {
      run.readPopular(80 * CAPACITY);
      run.shift();
      int lookups = 0;
      double ratio;
      do {
        ratio = run.readPopular(CAPACITY);
        lookups += CAPACITY;
      } while (ratio < 0.6 && lookups < 100 * CAPACITY);
      return lookups;
    }
  }

  /** Told or not: two blocks read once for each that is popular. */
  @ParameterizedTest
  @EnumSource(names = {"SCAN", "PREFETCH", "READ"})
  void shouldKeepItsBlocksThroughScans(Source scanned) {
    try (Run run = new Run(PolicyPreset.DEFAULT)) {
      run.readPopular(60 * CAPACITY);
      double before = run.readPopular(10 * CAPACITY);
      long next = BLOCKS;
      int hits = 0;
      int reads = 4 * CAPACITY;
      for (int i = 0; i < reads; i++) {
        hits += run.read(run.rank(), Source.READ) ? 1 : 0;
        for (int j = 0; j < 2; j++) {
          run.read(next++, scanned);
        }
      }
      assertThat((double) hits / reads).isGreaterThan(0.93 * before);
    }
  }

  /** The newest are the most popular, and a new one comes with every twentieth read. */
  @ParameterizedTest
  @EnumSource(names = {"PAPER", "PAPER_20", "PAPER_4"})
  void shouldKeepFreshBlocksThatWillBeRead(PolicyPreset paper) {
    double theirs = latest(paper);
    assertThat(latest(PolicyPreset.DEFAULT)).isGreaterThan(1.5 * theirs);
  }

  private static double latest(PolicyPreset policies) {
    try (Run run = new Run(policies)) {
      long newest = BLOCKS;
      int hits = 0;
      int reads = 60 * CAPACITY;
      for (int i = 0; i < reads; i++) {
        if (i % 20 == 0) {
          run.flush(++newest);
        }
        hits += run.read(newest - run.rank(), Source.READ) ? 1 : 0;
      }
      assertThat(run.admitted()).isLessThanOrEqualTo((long) (reads * TARGET * 1.1) + CAPACITY / 10);
      return (double) hits / reads;
    }
  }

  /** Of blocks that are written and not read again, hardly one is worth a write. */
  @Test
  void shouldWriteLittleWhereNothingIsReadAgain() {
    try (Run run = new Run(PolicyPreset.DEFAULT)) {
      int reads = 60 * CAPACITY;
      for (long number = 0; number < reads; number++) {
        run.read(number, Source.READ);
        run.flush(-1 - number + 2L * reads);
      }
      assertThat(run.admitted()).isLessThan((long) (0.5 * TARGET * reads));
    }
  }
}
