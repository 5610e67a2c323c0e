// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class CompactionCostTest {
  private static final CompactionContender CONTENDER =
      new CompactionContender(HBaseEngine.NVCACHE_NATIVE, KeyOrder.SCATTERED, true);

  private static CompactionWindow window(
      int number, long reads, long hits, double p99Micros, long writtenBytes) {
    return new CompactionWindow(
        CONTENDER,
        number,
        reads,
        hits,
        Map.of("50", 10.0, "99", p99Micros),
        Map.of(),
        writtenBytes,
        0);
  }

  @Test
  void shouldCompareTheReadsAfterACompactionWithThoseBeforeIt() {
    CompactionCost cost =
        CompactionCost.of(window(-1, 100, 80, 50, 1000), window(1, 1000, 700, 75, 1600));
    assertThat(cost.contender()).isEqualTo(CONTENDER);
    assertThat(cost.reads()).isEqualTo(1000);
    assertThat(cost.hitsLost()).isEqualTo(100);
    assertThat(cost.bytesWrittenSince()).isEqualTo(600);
    assertThat(cost.latencyRatios()).isEqualTo(Map.of("50", 1.0, "99", 1.5));
  }
}
