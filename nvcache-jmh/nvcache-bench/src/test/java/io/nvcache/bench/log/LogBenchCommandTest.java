// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import io.nvcache.cli.DocCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogBenchCommandTest {
  @TempDir private Path directory;

  @Test
  void shouldMeasure() throws IOException {
    Path json = directory.resolve("bench.json");
    CliRun run =
        CliRun.of(
            "log",
            "bench",
            "--dir",
            directory.toString(),
            "--log-dir",
            directory.toString(),
            "--writes",
            "10",
            "--crashes",
            "50",
            "--logs",
            "4",
            "--batches",
            "100",
            "--burst",
            "4",
            "--seconds",
            "1",
            "--rounds",
            "1",
            "--json",
            json.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(json)
        .content()
        .contains(
            "append_ratio_to_persistent_copy",
            "write_speedup_over_force",
            "write_allocated",
            "write_ratio_to_plain_write_and_append",
            "drained_read_ratio_to_platform",
            "recovery_seconds_per_gib",
            "burst_speedup_over_force",
            "saturated_ratio_to_raw_drain",
            "saturated_ratio_to_largest_batch",
            "jvm_start_extra",
            "\"deferred\"",
            "\"lost\"");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.filter(p -> p.toString().contains("nvcache-log-bench"))).isEmpty();
    }
  }

  @Test
  void shouldStandBesideTheCommandsOfOperators() throws IOException {
    assertThat(CliRun.of("log", "--help").out()).contains("status", "recover", "bench");
    assertThat(CliRun.of("log", "bench", "--writes", "1").err()).contains("--writes");
    DocCommands.check("log bench");
  }
}
