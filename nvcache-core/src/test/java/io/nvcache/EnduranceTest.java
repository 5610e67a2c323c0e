// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That writes are limited and shown by what they wear out. */
final class EnduranceTest {
  private static final int UNIT = 4096;
  private static final long CAPACITY = 1 << 20;

  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(CAPACITY));
  private long now;
  private long offset;

  private BlockCacheBuilder builder() {
    medium.writeCost = new WriteCost(0, 8, 0, UNIT);
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(4 * UNIT)
        .expectedBlockBytes(UNIT)
        .admission(AdmissionPresets.admitAll())
        .testing(TestHook.nanoTime(() -> now))
        .maintainedByCaller();
  }

  private OfferResult offer(BlockCache cache, int bytes) {
    offset += CAPACITY;
    return cache.offer(1, offset, ByteBuffer.allocate(bytes), Source.READ);
  }

  @Test
  void shouldChargeTheLimitsWithWholeUnitsOfTheDevice() {
    try (BlockCache cache = builder().writeLimitBytesPerSecond(4 * UNIT).build()) {
      assertThat(offer(cache, UNIT + 1)).isEqualTo(OfferResult.ADMITTED);
      assertThat(offer(cache, 2 * UNIT)).isEqualTo(OfferResult.ADMITTED);
      assertThat(offer(cache, 1)).isEqualTo(OfferResult.BYPASSED_WRITE_LIMIT);
      now += TimeUnit.SECONDS.toNanos(1) / 4;
      assertThat(offer(cache, 1)).isEqualTo(OfferResult.ADMITTED);

      CacheStats stats = cache.stats();
      assertThat(stats.mediumWrittenBytes()).isEqualTo(3 * UNIT + 2);
      assertThat(stats.deviceWrittenBytes()).isEqualTo(5 * UNIT);
      assertThat(stats.deviceBytesPerAdmittedByte()).isEqualTo(5.0 * UNIT / (3 * UNIT + 2));
    }
  }

  @Test
  void shouldCountWhatWasWrittenForNothingAndNotWhatFailed() {
    try (BlockCache cache = builder().build()) {
      medium.failWrites = true;
      assertThat(offer(cache, 1)).isEqualTo(OfferResult.MEDIUM_FAILED);
      assertThat(cache.stats().deviceWrittenBytes()).isZero();
      assertThat(cache.stats().deviceBytesPerAdmittedByte()).isZero();
    }
  }

  /** Blocks that fill pages, between others that leave gaps before them. */
  @Test
  void shouldLimitAllThatRegionsTakeOnTheDevice() {
    long perSecond = 256 << 10;
    long buffer = 256 << 10; // Of the log, for a medium of this size.
    CrashDisk disk = new CrashDisk((int) CAPACITY);
    try (BlockCache cache =
        builder()
            .medium(disk)
            .maxBlockBytes(2 * UNIT)
            .writeLimitBytesPerSecond(perSecond)
            .build()) {
      int refused = 0;
      for (int step = 1; step <= 3000; step++) {
        now = step * TimeUnit.MILLISECONDS.toNanos(10);
        OfferResult result = offer(cache, step % 2 == 0 ? UNIT : 5000);
        refused += result == OfferResult.BYPASSED_WRITE_LIMIT ? 1 : 0;
        cache.control().maintain();
        assertThat((double) cache.stats().deviceWrittenBytes())
            .as("device bytes in %d ms", 10 * step)
            .isLessThanOrEqualTo(perSecond * (step / 100.0 + 1) + buffer);
      }
      assertThat(refused).isPositive();
      assertThat(cache.stats().deviceWrittenBytes()).isGreaterThan(perSecond * 29);
    }
  }

  /** The charges of a piece that was lost pay for no padding of later ones. */
  @Test
  void shouldLimitWhatRegionsTakeAfterWritesThatFailed() {
    long perSecond = 256 << 10;
    long buffer = 256 << 10; // Of the log, for a medium of this size.
    CrashDisk disk = new CrashDisk((int) CAPACITY);
    FaultyMedium faulty = new FaultyMedium(disk);
    faulty.writeCost = disk.writeCost();
    try (BlockCache cache =
        builder()
            .medium(faulty)
            .placement(BlockPlacement.REGIONS)
            .maxBlockBytes(2 * UNIT)
            .writeLimitBytesPerSecond(perSecond)
            .build()) {
      int steps = 0;
      while (cache.stats().mediumFailures() < 40) {
        faulty.failWrites = steps % 200 < 100; // Whole pieces fail, and others do not.
        now = ++steps * TimeUnit.MILLISECONDS.toNanos(10);
        offer(cache, steps % 2 == 0 ? UNIT : 5000);
        cache.control().maintain();
        assertThat(steps).isLessThan(10_000);
      }
      faulty.failWrites = false;
      long before = cache.stats().deviceWrittenBytes();
      for (int step = 1; step <= 3000; step++) {
        now += TimeUnit.MILLISECONDS.toNanos(10);
        offer(cache, step % 2 == 0 ? UNIT : 5000);
        cache.control().maintain();
        assertThat((double) (cache.stats().deviceWrittenBytes() - before))
            .as("device bytes in %d ms", 10 * step)
            .isLessThanOrEqualTo(perSecond * (step / 100.0 + 1) + buffer);
      }
      assertThat(cache.stats().deviceWrittenBytes() - before).isGreaterThan(perSecond * 29);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1048576", "0.5, 524288", "1e-9, 1"})
  void shouldLimitADayToTimesTheCapacity(double writes, long bytes) {
    try (BlockCache cache = builder().driveWritesPerDay(writes).build()) {
      assertThat(cache.control().settings().writeLimitBytesPerDay()).isEqualTo(bytes);
    }
  }

  @Test
  void shouldTakeTheLaterOfTwoLimitsOfADay() {
    try (BlockCache cache = builder().driveWritesPerDay(1).writeLimitBytesPerDay(7).build()) {
      assertThat(cache.control().settings().writeLimitBytesPerDay()).isEqualTo(7);
    }
    FaultyMedium other = new FaultyMedium(NativeMedium.allocate(CAPACITY));
    try (BlockCache cache =
        builder().medium(other).writeLimitBytesPerDay(7).driveWritesPerDay(1).build()) {
      assertThat(cache.control().settings().writeLimitBytesPerDay()).isEqualTo(CAPACITY);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1000.1, Double.NaN})
  void shouldRefuseANumberOfDriveWritesThatIsNone(double writes) {
    assertThatThrownBy(() -> BlockCache.builder().driveWritesPerDay(writes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "driveWritesPerDay is " + writes + "; it must be between 0 (no limit) and 1000");
  }

  @ParameterizedTest
  @CsvSource({"1, 4096", "4096, 4096", "4097, 8192", "16777216, 16777216"})
  void shouldRoundUpToTheUnit(int length, int device) {
    assertThat(new WriteCost(0, 1, 0, UNIT).deviceBytes(length)).isEqualTo(device);
    assertThat(new WriteCost(0, 1, 0).deviceBytes(length)).isEqualTo(length);
    assertThat(new WriteCost(0, 1, 0, UNIT).withHarm(3).deviceBytes(length)).isEqualTo(device);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, WriteCost.MAX_UNIT_BYTES + 1})
  void shouldRefuseAUnitThatIsNone(int unitBytes) {
    assertThatThrownBy(() -> new WriteCost(0, 1, 0, unitBytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unitBytes is " + unitBytes);
  }
}
