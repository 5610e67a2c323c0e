// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.admission.Traffic;
import org.junit.jupiter.api.Test;

final class ShadowScaleTest {
  /** What a miniature counted of a tenth of 10,000 lookups. */
  private static Traffic counts(long hits) {
    return new Counts(1000, hits, 0, 0);
  }

  private record Counts(long lookups, long hits, long insertedBlocks, long removedBlocks)
      implements Traffic {}

  /** A cache that hit 75 %, though its miniature hit 85 %. */
  private static double hitRatioFor(long miniatureHits) {
    return new ShadowScale(0.1, 10_000, 7_500, counts(850)).hitRatio(counts(miniatureHits));
  }

  @Test
  void shouldGiveTheCacheItselfItsTrueHitRatio() {
    assertThat(hitRatioFor(850)).isCloseTo(0.75, within(1e-9));
  }

  @Test
  void shouldTakeTheWholeErrorOffSmallerSizes() {
    assertThat(hitRatioFor(500)).isCloseTo(0.40, within(1e-9));
  }

  @Test
  void shouldTakeAsMuchOfTheErrorOffALargerSizeAsItHasOfTheMisses() {
    assertThat(hitRatioFor(910)).isCloseTo(0.91 - 0.1 * 9 / 15, within(1e-9));
    assertThat(hitRatioFor(1000)).isCloseTo(1.0, within(1e-9));
  }

  @Test
  void shouldNeverLeaveTheRangeOfARatio() {
    assertThat(hitRatioFor(0)).isZero();
    assertThat(new ShadowScale(0.1, 10_000, 9_900, counts(500)).hitRatio(counts(990)))
        .isLessThanOrEqualTo(1);
  }

  @Test
  void shouldCountLookupsThatTheSampleLacksAsHits() {
    ShadowScale scale = new ShadowScale(0.1, 10_000, 7_500, counts(850));
    assertThat(scale.sampledRatio(600, 800)).isCloseTo(0.8, within(1e-9));
  }
}
