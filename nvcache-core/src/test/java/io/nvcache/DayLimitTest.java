// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.WorthAdmission;
import io.nvcache.control.Condition;
import io.nvcache.testing.ZipfRanks;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** That a day's write limit, where it is tighter than the overhead target, gets the best blocks. */
final class DayLimitTest {
  private static final int LENGTH = 256;
  private static final int CAPACITY = 2_048;
  private static final int BLOCKS = 10 * CAPACITY;
  private static final int LOOKUPS_PER_SECOND = 5;
  private static final int LOOKUPS_PER_DAY = 86_400 * LOOKUPS_PER_SECOND;

  /** An eighth of what the target of 0.10 allows. */
  private static final int BLOCKS_PER_DAY = LOOKUPS_PER_DAY / 80;

  /** So often other blocks become the popular ones. */
  private static final int SHIFTS_A_DAY = 4;

  private static final AdmissionFactory PLANNED = WorthAdmission::new;

  /** Knows of the limit only by what is refused. */
  private static final AdmissionFactory UNPLANNED =
      context ->
          new WorthAdmission(
              new AdmissionContext(
                  context.traffic(),
                  context.dataSet(),
                  context.settings(),
                  context.settings()::overheadTarget,
                  context.removalWeight(),
                  context.writeHarm(),
                  context.capacityBlocks(),
                  context.expectedBlockBytes(),
                  context.residents(),
                  context.hashSeed()));

  /** A full cache, and a store that reads through it. */
  private static final class Run implements AutoCloseable {
    private final SplittableRandom random = new SplittableRandom(2026);
    private final ByteBuffer block = ByteBuffer.allocate(LENGTH);
    private final ZipfRanks popularity = new ZipfRanks(BLOCKS, 1);
    private final BlockCache cache;
    private int hottest;
    private long lookups;

    Run(AdmissionFactory admission) {
      cache =
          BlockCache.builder()
              .nativeMemory((long) CAPACITY * LENGTH)
              .maxBlockBytes(4096)
              .expectedBlockBytes(LENGTH)
              .testing(
                  TestHook.hashSeed(7),
                  TestHook.nanoTime(
                      () -> lookups * (TimeUnit.SECONDS.toNanos(1) / LOOKUPS_PER_SECOND)))
              .maintainedByCaller()
              .policies(PolicyPreset.DEFAULT)
              .admission(admission)
              .build();
      hits(40 * CAPACITY);
      cache.control().settings().setWriteLimitBytesPerDay((long) BLOCKS_PER_DAY * LENGTH);
    }

    int shiftAndRead(int count) {
      hottest += BLOCKS / SHIFTS_A_DAY;
      return hits(count);
    }

    private int hits(int count) {
      int hits = 0;
      for (int i = 0; i < count; i++) {
        hits += read() ? 1 : 0;
      }
      return hits;
    }

    private boolean read() {
      long number = (popularity.draw(random) + hottest) % BLOCKS;
      boolean hit = cache.get(1, number * LENGTH, block.clear()) != BlockCache.MISS;
      if (!hit) {
        cache.offer(1, number * LENGTH, block.clear(), Source.READ);
      }
      if (++lookups % LOOKUPS_PER_SECOND == 0) {
        cache.control().maintain();
      }
      return hit;
    }

    long offers(OfferResult result) {
      return cache.stats().offers(result);
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  @Test
  void shouldTakeTheBestBlocksWithinTheLimit() {
    try (Run planned = new Run(PLANNED);
        Run unplanned = new Run(UNPLANNED)) {
      long before = planned.offers(OfferResult.ADMITTED);
      int hits = 0;
      int unplannedHits = 0;
      for (int shift = 0; shift < SHIFTS_A_DAY; shift++) {
        hits += planned.shiftAndRead(LOOKUPS_PER_DAY / SHIFTS_A_DAY);
        unplannedHits += unplanned.shiftAndRead(LOOKUPS_PER_DAY / SHIFTS_A_DAY);
      }

      assertThat(planned.offers(OfferResult.ADMITTED) - before)
          .isBetween(BLOCKS_PER_DAY * 95L / 100, (long) BLOCKS_PER_DAY);
      assertThat(hits).isGreaterThan(unplannedHits * 102 / 100);
      assertThat(planned.cache.control().conditions()).containsKey(Condition.WRITE_LIMITED);
    }
  }
}
