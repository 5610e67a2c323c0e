// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZipfianTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 999, 1000, 1001, 5000, 200_000})
  void shouldSumZetaAsTermByTerm(int n) {
    double sum = 0;
    for (int i = n; i >= 1; i--) {
      sum += 1 / Math.pow(i, Zipfian.EXPONENT);
    }

    assertThat(Zipfian.zeta(n)).isCloseTo(sum, within(1e-6));
  }

  /** ScrambledZipfianGenerator.ZETAN of YCSB 0.17, for its ten billion items. */
  @Test
  void shouldAgreeWithYcsbsConstant() {
    assertThat(Zipfian.zeta(10_000_000_000L)).isCloseTo(26.46902820178302, within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 10, 1_000_000})
  void shouldStayInsideItsRanks(long items) {
    Zipfian zipfian = new Zipfian(items);

    assertThat(zipfian.rank(0)).isZero();
    assertThat(zipfian.rank(Math.nextDown(1.0))).isBetween(0L, items - 1);
  }

  @Test
  void shouldFavourLowRanksAsTheLawSays() {
    int items = 1000;
    int draws = 1_000_000;
    Zipfian zipfian = new Zipfian(items);
    SplittableRandom random = new SplittableRandom(7);
    int[] seen = new int[items];
    for (int i = 0; i < draws; i++) {
      seen[(int) zipfian.rank(random.nextDouble())]++;
    }

    double zeta = Zipfian.zeta(items);
    assertThat(seen[0] / (double) draws).as("seed 7").isCloseTo(1 / zeta, within(0.002));
    assertThat(seen[1] / (double) draws).isCloseTo(Math.pow(2, -0.99) / zeta, within(0.002));
    double firstHundred = Zipfian.zeta(100) / zeta;
    int low = 0;
    for (int rank = 0; rank < 100; rank++) {
      low += seen[rank];
    }
    // Gray's formula is an approximation beyond the second rank.
    assertThat(low / (double) draws).isCloseTo(firstHundred, within(0.03));
  }
}
