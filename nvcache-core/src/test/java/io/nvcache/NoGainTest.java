// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.CacheEvent;
import io.nvcache.control.Condition;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.stats.LoadTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * That a cache says so if hits are no faster than loads of its store, whatever drives there are.
 */
final class NoGainTest {
  private static final int BLOCK = 4096;
  private static final int MICROS = 1000;

  /** As many are compared. */
  private static final int SAMPLES = 256;

  @TempDir private Path directory;

  private long now;
  private long fileId;

  private static BlockCache over(Medium medium) {
    return BlockCache.builder().medium(medium).maxBlockBytes(4096).maintainedByCaller().build();
  }

  /** A cache whose reads of the medium take so long. */
  private BlockCache taking(long hitMicros) {
    FaultyMedium medium =
        new FaultyMedium(NativeMedium.allocate(8 << 20)) {
          @Override
          public void read(long offset, ByteBuffer dst, int length) throws IOException {
            now += hitMicros * MICROS;
            super.read(offset, dst, length);
          }
        };
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(BLOCK)
        .expectedBlockBytes(BLOCK)
        .admission(AdmissionPresets.admitAll())
        .testing(TestHook.nanoTime(() -> now))
        .maintainedByCaller()
        .build();
  }

  /** Reads blocks of a new file, twice, and lets a second pass. */
  private void read(BlockCache cache, long loadMicros, Source source) {
    fileId++;
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    for (int round = 0; round < 2; round++) {
      long offset = 0;
      for (int sampled = 0; sampled < SAMPLES + 8; offset += BLOCK) {
        if (!LoadTimes.has(fileId, offset)) {
          continue;
        }
        sampled++;
        if (cache.get(fileId, offset, block.clear()) == BlockCache.MISS) {
          now += loadMicros * MICROS;
          cache.offer(fileId, offset, block.clear(), source);
        }
      }
    }
    now += Duration.ofSeconds(1).toNanos();
    cache.control().maintain();
  }

  @ParameterizedTest
  @CsvSource({"100, 100, true", "100, 70, true", "100, 5000, false", "0, 1, false"})
  void shouldCompareLoadsWithHits(long hitMicros, long loadMicros, boolean noGain) {
    try (BlockCache cache = taking(hitMicros)) {
      read(cache, loadMicros, Source.READ);
      assertThat(cache.control().conditions().containsKey(Condition.NO_GAIN)).isEqualTo(noGain);
      if (noGain) {
        assertThat(cache.control().conditions().get(Condition.NO_GAIN))
            .startsWith("a load of the store takes " + loadMicros + " us, and a hit 100 us");
      }
    }
  }

  /** A store may be moved, and a drive may be busy for an hour. */
  @Test
  void shouldEndOnceLoadsAreSlower() {
    try (BlockCache cache = taking(100)) {
      List<CacheEvent> events = new ArrayList<>();
      cache.control().addListener(events::add);
      read(cache, 50, Source.READ);
      read(cache, 110, Source.READ);
      assertThat(cache.control().conditions()).as("hardly slower").isNotEmpty();
      read(cache, 500, Source.SCAN);
      assertThat(cache.control().conditions()).isEmpty();
      assertThat(events).extracting(CacheEvent::begun).containsExactly(true, false);
    }
  }

  @Test
  void shouldTakeWhatNobodyReadForNoLoad() {
    try (BlockCache cache = taking(100)) {
      read(cache, 1, Source.PREFETCH);
      read(cache, 1, Source.FLUSH);
      assertThat(cache.control().conditions()).isEmpty();
    }
  }

  @Test
  void shouldKeepWhatTheHostSays() {
    try (BlockCache cache = taking(1)) {
      cache.control().reportNoGain("measured elsewhere");
      read(cache, 1000, Source.READ);
      assertThat(cache.control().conditions())
          .containsEntry(Condition.NO_GAIN, "measured elsewhere");
    }
  }

  /** A shared drive is no reason, and part of it if there is one. */
  @Test
  void shouldNameTheStoresOwnDrive() throws Exception {
    try (BlockCache cache =
        BlockCache.builder()
            .medium(FlashMedium.create(directory.resolve("cache"), 8 << 20))
            .maxBlockBytes(BLOCK)
            .expectedBlockBytes(BLOCK)
            .admission(AdmissionPresets.admitAll())
            .testing(TestHook.nanoTime(() -> now += MICROS))
            .maintainedByCaller()
            .build()) {
      cache.control().addStoreDirectory(Path.of("/proc"));
      cache.control().addStoreDirectory(directory.resolve("not/yet"));
      assertThat(cache.control().conditions()).isEmpty();
      read(cache, -10, Source.READ); // A hit takes a few ticks of this clock.
      assertThat(cache.control().conditions()).containsOnlyKeys(Condition.NO_GAIN);
      assertThat(cache.control().conditions().get(Condition.NO_GAIN))
          .contains(directory.resolve("not/yet").toString())
          .contains(directory.resolve("cache").toString());
    }
  }

  @Test
  void shouldSayNothingOfMemory() {
    try (BlockCache cache = over(NativeMedium.allocate(1 << 20))) {
      cache.control().addStoreDirectory(directory);
      assertThat(cache.control().conditions()).isEmpty();
      assertThatThrownBy(() -> cache.control().addStoreDirectory(null))
          .isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void shouldBearAMediumThatDoesNotKnowItsPlace() {
    Medium medium =
        new FaultyMedium(NativeMedium.allocate(1 << 20)) {
          @Override
          public Optional<Path> path() {
            throw new IllegalStateException("for the test");
          }
        };
    try (BlockCache cache = over(medium)) {
      cache.control().addStoreDirectory(directory);
      assertThat(cache.control().conditions()).isEmpty();
    }
  }
}
