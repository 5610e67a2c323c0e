// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GranularityTest {
  private static final double GIB = 1L << 30;
  private static final int BLOCK_BYTES = 28 << 10;

  private static Granularity of(double dataGib, double nvramGib) {
    return Granularity.of(dataGib * GIB, nvramGib * GIB, BLOCK_BYTES);
  }

  @Test
  void shouldBeFineWhereAnHourIsQuickAllTheSame() {
    assertThat(of(250, 64).scale()).isEqualTo(1000);
    assertThat(of(100, 64).scale()).isBetween(400, 450);
    assertThat(of(20, 4).scale()).isEqualTo(180);
  }

  @Test
  void shouldModelAnHourOfTheSmallestDataSetInTwoMinutesAtMost() {
    assertThat(3600.0 / of(2, 1).scale()).isLessThan(120);
  }

  @Test
  void shouldBearTheLargestCacheBesideTheSmallestDataSet() {
    assertThat(of(2, 1 << 14).mostNvramBytes()).isGreaterThanOrEqualTo(1L << 44);
  }

  @Test
  void shouldKnowTheSmallestCacheThatHasABlockForEachOfSomeClients() {
    assertThat(of(250, 64).leastNvramBytes()).isEqualTo(875L << 20);
    assertThat(of(250, 64).leastPageCacheBytes()).isEqualTo(438L << 20);
  }
}
