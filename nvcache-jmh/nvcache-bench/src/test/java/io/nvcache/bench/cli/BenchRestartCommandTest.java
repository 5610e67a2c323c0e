// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole way, with so few blocks that times mean nothing; what was restored does. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BenchRestartCommandTest {
  @TempDir private Path directory;

  private static double value(
      String records, String metric, int blocks, String engine, String stop) {
    Matcher found =
        Pattern.compile(
                "\\{\"metric\": \""
                    + metric
                    + "\", \"labels\": \\{\"block_bytes\": \"\\d+\", \"blocks\": \""
                    + blocks
                    + "\", \"engine\": \""
                    + engine
                    + "\", \"medium\": \"(?:drive|listed)\", \"stop\": \""
                    + stop
                    + "\"\\}, \"value\": ([-0-9.eE]+)")
            .matcher(records);
    assertThat(found.find()).as("%s of %s %s in %s", metric, engine, stop, records).isTrue();
    return Double.parseDouble(found.group(1));
  }

  @Test
  void shouldFindTheBlocksAgainAndLeaveNothingBehind() throws Exception {
    Path work = Files.createDirectory(directory.resolve("work"));
    Path json = directory.resolve("bench.json");
    int blocks = 40_000;
    int listed = 500_000;
    CliRun run =
        CliRun.of(
            "bench",
            "restart",
            "--blocks",
            "" + blocks,
            "--listed",
            "" + listed,
            "--heap",
            "512MiB",
            "--directory",
            work.toString(),
            "--json",
            json.toString(),
            "--quiet");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("first hit");
    String records = Files.readString(json);
    assertThat(value(records, "restored_ratio", blocks, "nvcache", "clean")).isGreaterThan(0.99);
    assertThat(value(records, "found_ratio", blocks, "nvcache", "clean")).isGreaterThan(0.99);
    assertThat(value(records, "restored_ratio", blocks, "nvcache", "kill")).isGreaterThan(0.5);
    assertThat(value(records, "restored_ratio", blocks, "bucket-file", "clean"))
        .isGreaterThan(0.99);
    assertThat(value(records, "restored_ratio", listed, "nvcache", "clean")).isGreaterThan(0.99);
    assertThat(value(records, "restored_ratio", listed, "nvcache", "kill")).isGreaterThan(0.9);
    for (String stop : new String[] {"clean", "kill"}) {
      assertThat(value(records, "restart_seconds", listed, "nvcache", stop)).isPositive();
      assertThat(value(records, "first_hit_ms", blocks, "nvcache", stop)).isPositive();
      assertThat(value(records, "wrong_blocks", blocks, "bucket-file", stop)).isZero();
      assertThat(value(records, "wrong_blocks", blocks, "nvcache", stop)).isZero();
      assertThat(value(records, "wrong_blocks", listed, "nvcache", stop)).isZero();
    }
    assertThat(work).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "--engines, foo",
    "--stops, foo",
    "--blocks, 10",
    "--listed, 1000000000",
    "--block, 1000B",
    "--heap, 1MiB",
    "--directory, /nowhere"
  })
  void shouldRefuseWhatMakesNoSense(String option, String value) {
    CliRun run = CliRun.of("bench", "restart", option, value);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(option).contains(value);
  }
}
