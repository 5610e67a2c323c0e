// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.JsonRecords;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestartResultTest {
  private static Map<String, String> labels(int blockBytes, boolean isListed) {
    RestartRun run =
        new RestartRun(
            RestartEngine.NVCACHE, RestartStop.CLEAN, 1000, blockBytes, isListed, Path.of("work"));
    return RestartResult.of(
            run, figure(RestartFork.FILLED_BLOCKS), figure(RestartFork.RESTORED_BLOCKS))
        .labels();
  }

  private static Map<String, JsonRecords.Entry> figure(String metric) {
    return new HashMap<>(Map.of(metric, new JsonRecords.Entry(metric, Map.of(), 1000, "blocks")));
  }

  /** Records of both had the same labels where as many blocks were listed as were on the drive. */
  @Test
  void shouldKeepRunsApartByTheirLabels() {
    assertThat(labels(1024, false)).containsEntry("medium", "drive");
    assertThat(labels(1024, true)).containsEntry("medium", "listed");
    assertThat(labels(4096, true)).containsEntry("block_bytes", "4096");
  }
}
