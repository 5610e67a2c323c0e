// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class QuartilesTest {
  @Test
  void shouldFindValuesInTheMiddleOfAnUnorderedOddNumber() {
    double[] values = {9, 1, 5, 3, 7};

    assertThat(Quartiles.of(values)).isEqualTo(new Quartiles(3, 5, 7));
    assertThat(values).as("the caller's values").containsExactly(9, 1, 5, 3, 7);
  }

  @Test
  void shouldInterpolateBetweenNeighbours() {
    assertThat(Quartiles.of(new double[] {1, 2, 3, 4})).isEqualTo(new Quartiles(1.75, 2.5, 3.25));
  }

  @Test
  void shouldTakeASingleValueForAll() {
    assertThat(Quartiles.of(new double[] {2.5})).isEqualTo(new Quartiles(2.5, 2.5, 2.5));
  }

  @Test
  void shouldNotBeMovedByOutliers() {
    assertThat(Quartiles.of(new double[] {1, 1, 1, 1, 1e9}).median()).isEqualTo(1);
  }

  @Test
  void shouldRefuseNoValues() {
    assertThatIllegalArgumentException().isThrownBy(() -> Quartiles.of(new double[0]));
  }
}
