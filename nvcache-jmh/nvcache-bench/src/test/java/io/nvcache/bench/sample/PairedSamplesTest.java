// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import static io.nvcache.bench.sample.PairedSamples.CANDIDATE;
import static io.nvcache.bench.sample.PairedSamples.RAW;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PairedSamplesTest {
  private static PairedSamples samples(long[]... candidateAndRaw) {
    PairedSamples samples = new PairedSamples();
    for (long[] pair : candidateAndRaw) {
      samples.nextPair();
      samples.add(CANDIDATE, pair[0], 10 * pair[0], 7);
      samples.add(RAW, pair[1], 5 * pair[1], 100);
    }
    return samples;
  }

  @Test
  void shouldTakeRatiosPairByPair() {
    // The machine was ten times slower during the last pair, on both sides.
    PairedSamples samples =
        samples(new long[] {12, 10}, new long[] {13, 10}, new long[] {140, 100});

    assertThat(samples.cpuRatio().median()).isEqualTo(1.3);
    assertThat(samples.cpuRatio().lower()).isEqualTo(1.25);
    assertThat(samples.wallRatio().median()).isEqualTo(2.6);
  }

  @Test
  void shouldCountAllocationsOfTheCandidateOnly() {
    assertThat(samples(new long[] {1, 1}, new long[] {1, 1}).candidateAllocatedBytes())
        .isEqualTo(14);
  }

  @Test
  void shouldAddThreadsPairByPair() {
    PairedSamples first = samples(new long[] {10, 10}, new long[] {30, 10});
    PairedSamples second = samples(new long[] {30, 10}, new long[] {10, 30});

    PairedSamples sum = PairedSamples.sum(List.of(first, second));

    assertThat(sum.pairs()).isEqualTo(2);
    assertThat(sum.cpuRatio().median()).as("of 40/20 and 40/40").isEqualTo(1.5);
    assertThat(sum.candidateAllocatedBytes()).isEqualTo(28);
  }

  @Test
  void shouldKeepEveryPairOfManyThousand() {
    PairedSamples samples = new PairedSamples();
    for (int i = 1; i <= 10_001; i++) {
      samples.nextPair();
      samples.add(CANDIDATE, i, i, 0);
      samples.add(RAW, 1, 1, 0);
    }

    assertThat(samples.pairs()).isEqualTo(10_001);
    assertThat(samples.cpuRatio().median()).isEqualTo(5001);
    assertThat(samples.medianCpuNanos(CANDIDATE)).isEqualTo(5001);
  }
}
