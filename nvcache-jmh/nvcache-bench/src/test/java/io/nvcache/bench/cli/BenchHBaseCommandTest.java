// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole way, too short for its figures to mean anything. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BenchHBaseCommandTest {
  @TempDir private Path directory;

  /** What a run printed, and its records. */
  private record Measured(String printed, String records) {}

  /** Measures with a cache of 48 MiB, in a folder that must be left empty. */
  private Measured measure(String scenario, String engines, String... options) throws Exception {
    Path work = Files.createDirectory(directory.resolve("work"));
    Path json = directory.resolve("bench.json");
    List<String> arguments = new ArrayList<>(List.of("bench", "hbase", "--scenarios", scenario));
    arguments.addAll(List.of("--engines", engines, "--capacity", "48MiB", "--quiet"));
    arguments.addAll(List.of("--directory", work.toString(), "--json", json.toString()));
    arguments.addAll(List.of(options));
    CliRun run = CliRun.of(arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(work).isEmptyDirectory();
    return new Measured(run.out(), Files.readString(json));
  }

  @ParameterizedTest
  @CsvSource({"fits, 65536, 1, 0", "scan, 16384, 2, 1"})
  void shouldMeasureAndLeaveNothingBehind(String scenario, int block, int threads, int delay)
      throws Exception {
    Measured measured =
        measure(
            scenario,
            "none,bucket-file,nvcache-native",
            "--block",
            "" + block,
            "--threads",
            "" + threads,
            "--delay",
            "" + delay,
            "--rounds",
            "1",
            "--reads",
            "1500"); // So that no figure drowns in a clock that ticks.
    assertThat(measured.printed).contains(scenario, "bucket-file", "nvcache-native");
    for (String metric :
        new String[] {"cpu_us_per_op", "ratio_to_none", "hit_ratio", "medium_bytes_written"}) {
      for (String engine : new String[] {"none", "bucket-file", "nvcache-native"}) {
        assertThat(measured.records)
            .contains(
                "{\"metric\": \""
                    + metric
                    + "\", \"labels\": {\"block\": \""
                    + block
                    + "\", \"delay\": \""
                    + delay
                    + "\", \"engine\": \""
                    + engine
                    + "\", \"scenario\": \""
                    + scenario
                    + "\", \"threads\": \""
                    + threads
                    + "\"}");
      }
    }
  }

  @Test
  void shouldShowWhatACompactionCosts() throws Exception {
    Measured measured = measure("compaction", "nvcache-native", "--block", "256KiB");
    assertThat(measured.printed)
        .contains("hot rows scattered", "hot rows clustered", "with heat")
        .contains("all lookups after it against before", "hits lost", "p99 ÷ before");
    assertThat(measured.records)
        .contains("compaction_hits_lost", "compaction_bytes_written", "latency_ratio_to_before");
    for (String heat : new String[] {"on", "off"}) {
      for (int window = -2; window <= 8; window++) {
        assertThat(measured.records)
            .contains(
                "{\"metric\": \"hit_ratio\", \"labels\": {\"block\": \"262144\", \"delay\":"
                    + " \"0\", \"engine\": \"nvcache-native\", \"heat\": \""
                    + heat
                    + "\", \"keys\": \"scattered\", \"scenario\": \"compaction\", \"window\": \""
                    + window
                    + "\"}");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"reopen", "prefetch"})
  void shouldShowWhatPrefetchesFetch(String scenario) throws Exception {
    Measured measured =
        measure(scenario, "bucket-file,nvcache-native", "--block", "256KiB", "--delay", "1");
    assertThat(measured.printed).contains(scenario, "fetched", "region share off by");
    List<String> metrics =
        new ArrayList<>(List.of("prefetch_fetched_not_cached_ratio", "region_ratio_error"));
    if (scenario.equals("reopen")) {
      metrics.add("reopen_fetched_bytes");
    }
    for (String metric : metrics) {
      for (String engine : new String[] {"bucket-file", "nvcache-native"}) {
        assertThat(measured.records)
            .contains(
                "{\"metric\": \""
                    + metric
                    + "\", \"labels\": {\"block\": \"262144\", \"delay\": \"1\", \"engine\": \""
                    + engine
                    + "\", \"scenario\": \""
                    + scenario
                    + "\"}");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--engines, memcached, --engines",
    "--scenarios, fast, --scenarios",
    "--capacity, 1MiB, --capacity",
    "--block, 1MiB, --block",
    "--threads, 0, --threads",
    "--delay, -1, --delay",
    "--memory, 1MiB, --memory",
    "--rounds, 0, --rounds",
    "--directory, /nowhere, --directory"
  })
  void shouldRefuseWhatMakesNoSense(String option, String value, String told) {
    CliRun run = CliRun.of("bench", "hbase", option, value);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(told).contains(value);
  }

  @Test
  void shouldRefuseLimitWhereNoEnginesTakeTurns() {
    CliRun run = CliRun.of("bench", "hbase", "--scenarios", "reopen", "--memory", "64MiB");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--memory").contains("reopen");
  }

  @Test
  void shouldAskForTheHost() {
    CliRun run = CliRun.of("bench");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("hbase");
  }
}
