// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.bench.restart.RestartBench.Engine;
import io.nvcache.bench.restart.RestartBench.Stop;
import io.nvcache.report.Measurements;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestartRunTest {
  private static Map<String, String> labels(int blockBytes, boolean isListed) {
    RestartRun run =
        new RestartRun(Engine.NVCACHE, Stop.CLEAN, 1000, blockBytes, isListed, Path.of("work"));
    Measurements measured = new Measurements();
    run.labelled(measured).add("restored_ratio", 1, "ratio");
    return measured.records().get(0).labels();
  }

  /** Records of both had the same labels where as many blocks were listed as were on the drive. */
  @Test
  void shouldKeepRunsApartByTheirLabels() {
    assertThat(labels(1024, false)).containsEntry("medium", "drive");
    assertThat(labels(1024, true)).containsEntry("medium", "listed");
    assertThat(labels(4096, true)).containsEntry("block_bytes", "4096");
  }
}
