// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.CrashDisk;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Restarts neither lend the room of a full cache again, nor reset the write limit of a day. */
@Timeout(120)
final class RestoredBudgetTest {
  private static final int CAPACITY = 4 << 20;
  private static final int PAGE = 4096;
  private static final int LENGTH = 4000;
  private static final int BLOCKS = 800;
  private static final double TARGET = 0.10;

  /** The loan of the first cache, which is empty: {@code WriteBudget} lends the room there is. */
  private static final double ROOM = (double) CAPACITY / PAGE;

  private static BlockCacheBuilder builder(CrashDisk disk) {
    return BlockCache.builder()
        .medium(disk)
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE)
        .overheadTarget(TARGET)
        .maintainedByCaller();
  }

  @Test
  void shouldKeepTheLawOfTheBudgetAcrossRestarts() {
    SplittableRandom random = new SplittableRandom(25);
    CrashDisk disk = new CrashDisk(CAPACITY);
    long lookups = 0;
    long writes = 0;
    long restored = 0;
    for (int restart = 0; restart < 20; restart++) {
      byte[] left;
      try (BlockCache cache = builder(disk).build()) {
        cache.identify(7, FileIdentity.of("test"));
        for (int step = 0; step < 4000; step++) {
          if (step == 100) {
            cache.control().maintain(); // Some offers come before anything is restored.
          }
          // Each time others are hot, so that all that may be written is wanted.
          long offset = ((long) restart * BLOCKS + random.nextInt(BLOCKS)) * PAGE;
          ByteBuffer dst = ByteBuffer.allocate(LENGTH);
          if (cache.get(7, offset, dst) == BlockCache.MISS) {
            cache.offer(7, offset, TestBlock.of(7, offset, LENGTH), Source.READ);
          }
        }
        cache.control().maintain();
        CacheStats stats = cache.stats();
        lookups += stats.lookups();
        writes += stats.offers(OfferResult.ADMITTED) + stats.reinsertions();
        restored += stats.restoredBlocks();
        left = disk.afterKill();
      }
      // A kill, or a clean stop.
      disk = new CrashDisk(random.nextBoolean() ? left : disk.afterKill());
    }
    assertThat(restored).isGreaterThan(20 * 300);
    // What a kill loses has to be filled once more: a region or two.
    double lost = 20 * 2 * 16;
    assertThat(writes).isBetween(100L, (long) (TARGET * lookups + ROOM + lost));
  }

  @Test
  void shouldNotStartADayAnewWithARestart() {
    long limit = 25L * 100 * PAGE; // A burst of a hundred blocks.
    CrashDisk disk = new CrashDisk(CAPACITY);
    int admitted = 0;
    for (int restart = 0; restart < 10; restart++) {
      try (BlockCache cache = WarmRestartTest.builder(disk).writeLimitBytesPerDay(limit).build()) {
        cache.control().maintain();
        cache.identify(restart, FileIdentity.of("test", Integer.toString(restart)));
        for (int block = 0; block < 50; block++) {
          long offset = (long) block * PAGE;
          ByteBuffer bytes = TestBlock.of(restart, offset, LENGTH);
          admitted +=
              cache.offer(restart, offset, bytes, Source.READ) == OfferResult.ADMITTED ? 1 : 0;
        }
      }
      disk = new CrashDisk(disk.afterKill());
    }
    assertThat(admitted).isBetween(90, 110); // And what a few seconds of the day allow.
  }
}
