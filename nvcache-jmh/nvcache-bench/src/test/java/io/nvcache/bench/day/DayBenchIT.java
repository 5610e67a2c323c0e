// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short day on real servers, with the class path of this test. */
final class DayBenchIT {
  @Test
  void shouldLiveADay(@TempDir Path directory) throws Exception {
    Path classPath =
        Files.writeString(directory.resolve("class-path"), System.getProperty("java.class.path"));
    Path records = directory.resolve("records.json");

    CliRun run =
        CliRun.of(
            "bench",
            "hbase-day",
            "--engines",
            "bucket-file,nvcache-flash",
            "--rows",
            "40000",
            "--capacity",
            "16MiB",
            "--dram",
            "4MiB",
            "--seconds",
            "1",
            "--balancer-moves",
            "0",
            "--server-class-path",
            classPath.toString(),
            "--directory",
            directory.toString(),
            "--pictures",
            directory.toString(),
            "--json",
            records.toString(),
            "--quiet");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("| compacting | nvcache-flash |");
    String written = Files.readString(records);
    for (String metric :
        new String[] {
          "series_hit_ratio",
          "phase_latency",
          "day_reads_per_s",
          "day_reads_ratio",
          "day_p99_ratio",
          "day_written_ratio",
          "hits_after_kill_ratio",
          "hits_after_move_ratio",
          "compaction_lost_hits",
          "compaction_lost_by_chance",
          "balancer_moves",
          "volume_pulled_hits_ratio",
          "restart_s",
          "cached_blocks_after",
          "failed_inserts"
        }) {
      assertThat(written).contains("\"metric\": \"" + metric + "\"");
    }
    assertThat(written.lines().filter(line -> line.contains("\"wrong_reads\"")))
        .hasSize(2)
        .allMatch(line -> line.contains("\"value\": 0,"));
    assertThat(written.lines().filter(line -> line.contains("\"volume_pulled_failed_reads\"")))
        .singleElement()
        .asString()
        .contains("\"value\": 0,");
    assertThat(directory.resolve("hbase-day-hits.json")).content().contains("kill -9");
  }
}
