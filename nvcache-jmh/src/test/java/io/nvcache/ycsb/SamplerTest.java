// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.OfferResult;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SamplerTest {
  private static final long SECOND = 1_000_000_000;

  private final Sampler sampler = new Sampler(5 * SECOND, counters(100, 40, 10, 8), SECOND);

  @Test
  void shouldBeDueOncePerInterval() {
    assertThat(sampler.isDue(6 * SECOND - 1)).isFalse();
    assertThat(sampler.isDue(6 * SECOND)).isTrue();

    sampler.sample(6 * SECOND + 5, counters(200, 80, 20, 12));

    assertThat(sampler.isDue(7 * SECOND)).isFalse();
    assertThat(sampler.isDue(7 * SECOND + 5)).isTrue();
  }

  @Test
  void shouldTakeThroughputAndHitsOfIntervalAndWritesSinceStart() {
    sampler.sample(6 * SECOND, counters(200, 80, 30, 12));
    sampler.sample(8 * SECOND, counters(600, 180, 55, 22));

    assertThat(sampler.samples())
        .containsExactly(
            new Sample(1, 100, 20 / 40.0, 4 / 40.0), new Sample(3, 200, 25 / 100.0, 14 / 140.0));
  }

  @Test
  void shouldKnowNoRatiosWithoutLookups() {
    sampler.sample(6 * SECOND, counters(200, 40, 10, 8));

    assertThat(sampler.samples().get(0).hitRatio()).isNaN();
    assertThat(sampler.samples().get(0).writesPerLookup()).isNaN();
  }

  private static Counters counters(long operations, long lookups, long hits, long admitted) {
    return new Counters(
        operations, lookups, hits, 0, Map.of(OfferResult.ADMITTED, admitted), 0, 0, 0, 0);
  }
}
