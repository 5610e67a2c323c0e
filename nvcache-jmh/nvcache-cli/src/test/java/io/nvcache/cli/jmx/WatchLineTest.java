// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class WatchLineTest {
  private static final WatchLine.Counts NOTHING = new WatchLine.Counts(Map.of(), Map.of());

  private static String[] cells(WatchLine.Counts before, WatchLine.Counts after) {
    return new WatchLine(before, after, 2).text("12:00:01", 10.0, 75).split(" +");
  }

  @Test
  void shouldSumAllRefusalsAndNameTheCommonest() {
    WatchLine.Counts before =
        new WatchLine.Counts(
            Map.of("Lookups", 1_000L, "Hits", 500L), Map.of("NO_SPACE", 7L, "ADMITTED", 40L));
    WatchLine.Counts after =
        new WatchLine.Counts(
            Map.of(
                "Lookups", 3_000L,
                "Hits", 1_000L,
                "Evictions", 10L,
                "Displacements", 20L,
                "Rebalancings", 30L,
                "MediumWrittenBytes", 4L << 20),
            Map.of(
                "ADMITTED", 60L,
                "ALREADY_CACHED", 5L,
                "NO_SPACE", 307L,
                "BYPASSED_OVERHEAD", 60L,
                "MEDIUM_FAILED", 40L));

    assertThat(cells(before, after))
        .containsExactly(
            "12:00:01",
            "1000",
            "25.0",
            "10",
            "200",
            "30",
            "2.0",
            "10.0",
            "75.0",
            "no_space",
            "75%");
  }

  @Test
  void shouldLeaveOutWhatDidNotHappen() {
    assertThat(cells(NOTHING, NOTHING))
        .containsExactly("12:00:01", "0", "-", "0", "0", "0", "0.0", "10.0", "75.0");
  }
}
