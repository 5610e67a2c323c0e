// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
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
  private static final long PER_SECOND = 256 << 10;

  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(CAPACITY));
  private long now;
  private long offset;
  private int step;

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

  private BlockCache inRegions(Medium flash) {
    return builder()
        .medium(flash)
        .placement(BlockPlacement.REGIONS)
        .maxBlockBytes(2 * UNIT)
        .writeLimitBytesPerSecond(PER_SECOND)
        .build();
  }

  /** Offers a block that fills a page, or one that leaves a gap before the next, 10 ms later. */
  private OfferResult offerNext(BlockCache cache) {
    now += TimeUnit.MILLISECONDS.toNanos(10);
    OfferResult result = offer(cache, step++ % 2 == 0 ? 5000 : UNIT);
    cache.control().maintain();
    return result;
  }

  /** Checks the limit for half a minute of offers, and returns how many it refused. */
  private int refusedInHalfAMinute(BlockCache cache) {
    long buffer = 256 << 10; // Of the log, for a medium of this size.
    long before = cache.stats().deviceWrittenBytes();
    int refused = 0;
    for (int count = 1; count <= 3000; count++) {
      refused += offerNext(cache) == OfferResult.BYPASSED_WRITE_LIMIT ? 1 : 0;
      assertThat((double) (cache.stats().deviceWrittenBytes() - before))
          .as("device bytes in %d ms", 10 * count)
          .isLessThanOrEqualTo(PER_SECOND * (count / 100.0 + 1) + buffer);
    }
    assertThat(cache.stats().deviceWrittenBytes() - before).isGreaterThan(PER_SECOND * 29);
    return refused;
  }

  @Test
  void shouldLimitAllThatRegionsTakeOnTheDevice() {
    try (BlockCache cache = inRegions(new CrashDisk((int) CAPACITY))) {
      assertThat(refusedInHalfAMinute(cache)).isPositive();
    }
  }

  /** The charges of a piece that was lost pay for no padding of later ones. */
  @Test
  void shouldLimitWhatRegionsTakeAfterWritesThatFailed() {
    CrashDisk disk = new CrashDisk((int) CAPACITY);
    FaultyMedium faulty = new FaultyMedium(disk);
    faulty.writeCost = disk.writeCost();
    try (BlockCache cache = inRegions(faulty)) {
      while (cache.stats().mediumFailures() < 40) {
        faulty.failWrites = step % 200 < 100; // Whole pieces fail, and others do not.
        offerNext(cache);
        assertThat(step).isLessThan(10_000);
      }
      faulty.failWrites = false;
      refusedInHalfAMinute(cache);
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
