// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole way, too short for its figures to mean anything. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BenchFlashCommandTest {
  @TempDir private Path directory;

  @Test
  void shouldMeasureAndLeaveNothingBehind() throws Exception {
    Path work = Files.createDirectory(directory.resolve("work"));
    Path json = directory.resolve("bench.json");
    CliRun run =
        CliRun.of(
            "bench",
            "flash",
            "--threads",
            "1,3",
            "--size",
            "16MiB",
            "--rounds",
            "2",
            "--turn",
            "50",
            "--directory",
            work.toString(),
            "--json",
            json.toString(),
            "--quiet");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("CPU/hit");
    String records = Files.readString(json);
    for (String metric :
        new String[] {
          "direct_hit_cpu_ratio_to_pread",
          "direct_hits_ratio_to_pread",
          "hit_p99_ratio_during_writes"
        }) {
      for (int threads : new int[] {1, 3}) {
        assertThat(records)
            .contains(
                "{\"metric\": \"" + metric + "\", \"labels\": {\"threads\": \"" + threads + "\"}");
      }
    }
    assertThat(records)
        .contains("{\"metric\": \"two_files_ratio_to_one\", \"labels\": {\"threads\": \"3\"}")
        .contains("\"volume_pulled_failed_reads\", \"labels\": { }, \"value\": 0,")
        .contains("\"volume_pulled_hits_ratio\"");
    for (String metric :
        new String[] {"batch_rate_ratio_to_sequential", "batch_cpu_ratio_to_sequential"}) {
      assertThat(records).contains("{\"metric\": \"" + metric + "\", \"labels\": { }");
    }
    assertThat(records).contains("device_bytes_ratio_to_admitted");
    assertThat(records).contains("\"wrong_blocks\", \"labels\": { }, \"value\": 0,");
    assertThat(work).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "--threads, 0, --threads",
    "--size, 1MiB, --size",
    "--block, 5000, --block",
    "--rounds, 0, --rounds",
    "--turn, 1, --turn",
    "--directory, /nowhere, --directory"
  })
  void shouldRefuseWhatMakesNoSense(String option, String value, String told) {
    CliRun run = CliRun.of("bench", "flash", option, value);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(told).contains(value);
  }
}
