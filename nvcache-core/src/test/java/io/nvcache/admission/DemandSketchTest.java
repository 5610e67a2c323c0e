// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DemandSketchTest {
  private static final int CAPACITY = 10_000;
  private static final BlockHash HASH = new BlockHash(0);

  private static long block(int number) {
    return HASH.of(1, number * 4096L);
  }

  @Test
  void shouldCountUpToFifteen() {
    try (DemandSketch sketch = new DemandSketch(CAPACITY)) {
      assertThat(sketch.count(block(7))).isZero();
      for (int times = 1; times <= 20; times++) {
        assertThat(sketch.increment(block(7))).isEqualTo(Math.min(times, DemandSketch.MAX_COUNT));
        assertThat(sketch.count(block(7))).isEqualTo(Math.min(times, DemandSketch.MAX_COUNT));
      }
      assertThat(sketch.count(block(8))).isZero();
    }
  }

  @Test
  void shouldTellFilesApart() {
    try (DemandSketch sketch = new DemandSketch(CAPACITY)) {
      sketch.increment(HASH.of(1, 0));
      assertThat(sketch.count(HASH.of(2, 0))).isZero();
      assertThat(sketch.count(HASH.of(0, 1))).isZero();
    }
  }

  /** As counters are shared, a count may be too high, and never too low. */
  @Test
  void shouldSeldomCountTooHighAndNeverTooLow() {
    Seeds.each(
        5,
        random -> {
          try (DemandSketch sketch = new DemandSketch(CAPACITY)) {
            Map<Integer, Integer> exact = new HashMap<>();
            for (int i = 0; i < 4 * CAPACITY; i++) {
              int number = (int) (Math.abs(random.nextGaussian()) * CAPACITY);
              sketch.increment(block(number));
              exact.merge(number, 1, Integer::sum);
            }
            int tooHigh = 0;
            for (Map.Entry<Integer, Integer> entry : exact.entrySet()) {
              int count = sketch.count(block(entry.getKey()));
              int capped = Math.min(entry.getValue(), DemandSketch.MAX_COUNT);
              assertThat(count).isGreaterThanOrEqualTo(capped);
              tooHigh += count > capped ? 1 : 0;
            }
            assertThat(tooHigh).isLessThan(exact.size() / 20);
          }
        });
  }

  @Test
  void shouldHalveEachCountOnceInTenCapacitiesOfLookups() {
    try (DemandSketch sketch = new DemandSketch(CAPACITY)) {
      for (int number = 0; number < 500; number++) {
        for (int times = 0; times < 12; times++) {
          sketch.increment(block(number));
        }
      }
      for (int lookups = 0; lookups <= 10 * CAPACITY; lookups += 16) {
        sketch.age(lookups);
      }
      for (int number = 0; number < 500; number++) {
        assertThat(sketch.count(block(number))).isEqualTo(6);
      }
    }
  }

  @Test
  void shouldCatchUpWithLongGapsInBoundedSteps() {
    try (DemandSketch sketch = new DemandSketch(CAPACITY)) {
      for (int times = 0; times < 15; times++) {
        sketch.increment(block(1));
      }
      long now = Long.MAX_VALUE >>> 10;
      for (int calls = 0; calls < 1 + CAPACITY * 12 / 64 / 64; calls++) {
        assertThat(sketch.count(block(1))).isGreaterThanOrEqualTo(7);
        sketch.age(now);
      }
      assertThat(sketch.count(block(1))).as("one round for all that was missed").isEqualTo(7);
    }
  }

  @Test
  void shouldTakeTwelveBytesForABlock() {
    try (DemandSketch large = new DemandSketch(1_000_000);
        DemandSketch single = new DemandSketch(1)) {
      assertThat(large.sizeBytes()).isEqualTo(12_000_000);
      assertThat(single.sizeBytes()).isEqualTo(1024);
    }
  }

  /** Offsets of one file whose blocks have the counters of a victim, in its line, under a seed. */
  private static List<Long> craft(long seed, long victim) {
    BlockHash known = new BlockHash(seed);
    long hash = known.of(1, victim);
    long counters = (1L << 20) - 1;
    long line = -1L << (Long.SIZE - 4); // Of the sixteen that the smallest sketch has.
    List<Long> offsets = new ArrayList<>();
    for (long offset = victim + 512; offsets.size() < 3; offset += 512) {
      if (((known.of(1, offset) ^ hash) & (counters | line)) == 0) {
        offsets.add(offset);
      }
    }
    return offsets;
  }

  private static int countOfVictim(List<Long> crafted, long victim, long seed) {
    BlockHash hash = new BlockHash(seed);
    try (DemandSketch sketch = new DemandSketch(1)) {
      crafted.forEach(offset -> sketch.increment(hash.of(1, offset)));
      return sketch.count(hash.of(1, victim));
    }
  }

  @Test
  void shouldNotCountBlocksForAnotherThatWereCraftedForAnotherSeed() {
    List<Long> crafted = craft(42, 0);
    // The attack works where the seed is known, or this test would show nothing.
    assertThat(countOfVictim(crafted, 0, 42)).isEqualTo(crafted.size());
    for (long seed = 0; seed < 40; seed++) {
      assertThat(countOfVictim(crafted, 0, seed + 1000)).as("seed %d", seed + 1000).isZero();
    }
  }
}
