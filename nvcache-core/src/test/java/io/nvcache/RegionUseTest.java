// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.NativeMedium;
import io.nvcache.testing.Race;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Regions in use by many threads, on so small a medium that its buffer and its regions are used
 * again all the time: every byte is compared, and in the end everything is accounted for.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class RegionUseTest {
  private static final int CAPACITY = 2 << 20;
  private static final int LARGE_CAPACITY = 64 << 20;
  private static final int MAX_LENGTH = 4096;
  private static final int THREADS = 4;
  private static final int STEPS = 60_000;
  private static final int FILES = 6;
  private static final int BLOCKS = 400;

  /** Who writes and reclaims. */
  private enum Work {
    THREAD,
    CALLERS
  }

  private static BlockCacheBuilder builder(AdmissionFactory admission) {
    return BlockCache.builder()
        .medium(NativeMedium.allocate(CAPACITY))
        .placement(BlockPlacement.REGIONS)
        .maxBlockBytes(MAX_LENGTH)
        .expectedBlockBytes(2048)
        .testing(TestHook.debug())
        .admission(admission);
  }

  @ParameterizedTest
  @EnumSource(Work.class)
  void shouldNeverGiveAnotherBlocksBytes(Work work) throws Exception {
    BlockCacheBuilder builder = builder(AdmissionPresets.admitAll());
    if (work == Work.CALLERS) {
      builder.maintainedByCaller();
    }
    try (BlockCache cache = builder.build()) {
      Race.run(
          THREADS,
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int step = 0; step < STEPS; step++) {
              use(cache, random);
            }
          });
      // The thread that reclaims may have come to little while the others worked.
      SplittableRandom random = new SplittableRandom(THREADS);
      while (cache.stats().evictions() <= BLOCKS || cache.stats().hits() == 0) {
        use(cache, random);
      }
      CacheStats stats = cache.stats();
      assertThat(cache.control().health().checksumFailures()).isZero();
      assertThat(cache.control().health().indexFaults()).isZero();
      assertThat(stats.pinnedBytes()).isZero();
      while (!cache.control().ledger().contradictions().isEmpty()) {
        Thread.onSpinWait(); // The thread that reclaims is amid a region.
      }
      for (int file = 0; file < FILES; file++) {
        cache.invalidateFile(file);
      }
      while (cache.stats().usedBytes() > 0) {
        cache.control().maintain();
      }
    }
  }

  private static void use(BlockCache cache, SplittableRandom random) {
    long file = random.nextInt(FILES);
    long offset = 512L * random.nextInt(BLOCKS);
    int length = TestBlock.length(file, offset, 8, MAX_LENGTH);
    switch (random.nextInt(12)) {
      case 0 -> cache.invalidate(file, offset);
      case 1 -> {
        try (PinnedBlock pin = cache.pinOrCopy(file, offset)) {
          if (pin != null) {
            TestBlock.assertMatches(pin.buffer(), file, offset, length);
          }
        }
      }
      case 2 -> {
        if (random.nextInt(2000) == 0) {
          cache.invalidateFile(file);
        }
      }
      default -> {
        ByteBuffer dst = ByteBuffer.allocate(MAX_LENGTH);
        if (cache.get(file, offset, dst) == BlockCache.MISS) {
          cache.offer(file, offset, TestBlock.of(file, offset, length), Source.READ);
        } else {
          TestBlock.assertMatches(dst.flip(), file, offset, length);
        }
      }
    }
  }

  private static BlockCacheBuilder admittingAll(int expectedBlockBytes) {
    return BlockCache.builder()
        .medium(NativeMedium.allocate(LARGE_CAPACITY))
        .placement(BlockPlacement.REGIONS)
        .expectedBlockBytes(expectedBlockBytes)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller();
  }

  private static void fillThreeTimes(BlockCache cache, int length) {
    ByteBuffer block = ByteBuffer.allocate(length);
    for (int i = 0; i < 3 * LARGE_CAPACITY / length; i++) {
      assertThat(cache.offer(1, (long) i * length, block.clear(), Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
    }
  }

  @Test
  void shouldWriteLittleMoreThanItAdmits() {
    int length = 16 << 10;
    try (BlockCache cache = admittingAll(length).build()) {
      fillThreeTimes(cache, length);
      CacheStats stats = cache.stats();
      assertThat(stats.deviceBytesPerAdmittedByte()).isBetween(0.9, 1.05);
      assertThat(stats.usedBytes()).isGreaterThan(stats.capacityBytes() * 9 / 10);
    }
  }

  /** Hot blocks among cold ones: the hot ones are written again and again, and stay. */
  @Test
  void shouldReinsertWhatIsReadAndStayWithinItsBudget() {
    try (BlockCache cache =
        builder(AdmissionPresets.standard())
            .expectedBlockBytes(MAX_LENGTH)
            .maintainedByCaller()
            .build()) {
      SplittableRandom random = new SplittableRandom(11);
      ByteBuffer block = ByteBuffer.allocate(MAX_LENGTH);
      long capacityBlocks = CAPACITY / MAX_LENGTH;
      for (int step = 0; step < 400_000; step++) {
        long offset = MAX_LENGTH * (long) Math.pow(random.nextDouble() * 16, 3);
        if (cache.get(1, offset, block.clear()) == BlockCache.MISS) {
          cache.offer(1, offset, block.clear(), Source.READ);
        }
        if (step % 1000 == 0) {
          assertWithinBudget(cache.stats(), capacityBlocks);
        }
      }
      CacheStats stats = cache.stats();
      assertThat(stats.reinsertions()).isPositive();
      assertThat(stats.evictions()).isPositive();
      assertThat(stats.hitRatio()).isGreaterThan(0.2);
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  /** docs/inside/policies.md, Guarantees; on this medium a removal weighs nothing. */
  private static void assertWithinBudget(CacheStats stats, long capacityBlocks) {
    double writes = stats.offers(OfferResult.ADMITTED) + stats.reinsertions();
    double target = 0.10 * stats.lookups();
    double loan = Math.max(0, capacityBlocks - target / 2);
    assertThat(writes).isLessThanOrEqualTo(target + loan + 1);
  }

  /**
   * What is read ahead fills the room that a file leaves, though blocks had to be evicted before.
   */
  @Test
  void shouldHaveFreeRoomAgainOnceAFileIsGone() {
    try (BlockCache cache =
        builder(AdmissionPresets.standard())
            .expectedBlockBytes(MAX_LENGTH)
            .maintainedByCaller()
            .build()) {
      int capacityBlocks = CAPACITY / MAX_LENGTH;
      SplittableRandom random = new SplittableRandom(12);
      for (int step = 0; step < 6 * capacityBlocks || cache.stats().evictions() == 0; step++) {
        assertThat(step).as("a region gives way").isLessThan(100 * capacityBlocks);
        read(cache, 1, random.nextInt(2 * capacityBlocks));
      }
      for (int step = 0; step < 40 * capacityBlocks; step++) {
        read(cache, 1, random.nextInt(capacityBlocks / 8)); // The budget is spent until now.
      }
      cache.control().maintain(); // So that no region is wanted when the file goes.
      assertThat(readAhead(cache, 2, capacityBlocks / 8)).as("in a full cache").isZero();
      cache.invalidateFile(1);
      cache.control().maintain();
      long evictions = cache.stats().evictions();
      assertThat(readAhead(cache, 3, capacityBlocks / 4))
          .as("in the room of the file")
          .isEqualTo(capacityBlocks / 4);
      assertThat(cache.stats().evictions()).as("no block gave way").isEqualTo(evictions);
    }
  }

  private static void read(BlockCache cache, long file, int block) {
    long offset = (long) block * MAX_LENGTH;
    ByteBuffer dst = ByteBuffer.allocate(MAX_LENGTH);
    if (cache.get(file, offset, dst) == BlockCache.MISS) {
      cache.offer(file, offset, TestBlock.of(file, offset, MAX_LENGTH), Source.READ);
    }
  }

  /** Returns how many were admitted. */
  private static int readAhead(BlockCache cache, long file, int blocks) {
    int admitted = 0;
    for (int block = 0; block < blocks; block++) {
      long offset = (long) block * MAX_LENGTH;
      ByteBuffer bytes = TestBlock.of(file, offset, MAX_LENGTH);
      if (cache.offer(file, offset, bytes, Source.PREFETCH) == OfferResult.ADMITTED) {
        admitted++;
      }
    }
    return admitted;
  }

  /** Of the rest of a region that is too short for another block nothing is written. */
  @Test
  void shouldWriteLittleMoreThanItAdmitsWhereBlocksAreLong() {
    int length = 400 << 10;
    try (BlockCache cache = admittingAll(length).maxBlockBytes(length).build()) {
      fillThreeTimes(cache, length);
      assertThat(cache.stats().deviceBytesPerAdmittedByte()).isBetween(0.9, 1.05);
    }
  }
}
