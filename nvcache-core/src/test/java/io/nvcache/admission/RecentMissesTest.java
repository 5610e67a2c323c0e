// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RecentMissesTest {
  private static final int CAPACITY = 8_000;

  private static long hash(long block) {
    return DemandSketch.mix(block);
  }

  /** Misses of all new blocks, each once more after some lookups; how many are remembered. */
  private static double remembered(int lookupsAfter) {
    try (RecentMisses misses = new RecentMisses(CAPACITY)) {
      int known = 0;
      int asked = 0;
      for (int now = 0; now < 4 * CAPACITY; now++) {
        misses.add(hash(now), now);
        if (now >= 2 * CAPACITY && now % 50 == 0) {
          asked++;
          known += misses.add(hash(now - lookupsAfter), now) ? 1 : 0;
        }
      }
      return (double) known / asked;
    }
  }

  @Test
  void shouldKnowBlocksThatWereMissedAShortWhileAgo() {
    assertThat(remembered(1)).isGreaterThan(0.95);
    assertThat(remembered(CAPACITY / 4)).isGreaterThan(0.8);
  }

  @Test
  void shouldForgetThoseOfLongAgo() {
    assertThat(remembered(CAPACITY)).isLessThan(0.25);
    assertThat(remembered(3 * CAPACITY / 2)).isLessThan(0.25);
  }

  @Test
  void shouldTakeAByteForABlock() {
    try (RecentMisses misses = new RecentMisses(1_000_000)) {
      assertThat(misses.sizeBytes()).isEqualTo(1_000_000);
    }
  }
}
