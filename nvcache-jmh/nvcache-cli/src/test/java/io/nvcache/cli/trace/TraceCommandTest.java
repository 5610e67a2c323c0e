// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import io.nvcache.progress.StopSignal;
import io.nvcache.trace.replay.TracePolicies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceCommandTest {
  private static final String ZIPF = "zipf:blocks=2000:reads=20000";

  @TempDir private Path directory;

  @Test
  void shouldWriteTableRecordsAndReport() throws Exception {
    Path json = directory.resolve("out.json");
    Path report = directory.resolve("out.html");

    CliRun run =
        CliRun.of(
            "trace",
            "--trace=" + ZIPF + ",loop:blocks=500:reads=3000",
            "--trace=phase:blocks=2000:reads=20000",
            "--policy=paper,default,lru,gated-tinylfu",
            "--capacity=10%,1MiB",
            "--budget=0.10,0.05",
            "--dram=0",
            "--json=" + json,
            "--report=" + report);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains(ZIPF, "capacity 10% = ", "budget 0.05", "bound at this budget");
    assertThat(run.out()).contains("· L/C 133 ·", "budget 0.05 · at equal writes", "default ÷ it");
    List<String> records = Files.readAllLines(json);
    for (String metric :
        List.of(
            "hit_ratio",
            "second_half_hit_ratio",
            "hit_ratio_at_equal_writes",
            "writes_per_lookup",
            "peak_window_writes_per_lookup",
            "admitted_blocks",
            "medium_bytes_written")) {
      assertThat(records)
          .filteredOn(
              line -> line.contains('"' + metric + '"') && line.contains("\"gated-tinylfu\""))
          .as(metric)
          .hasSize(12)
          .anyMatch(
              line ->
                  line.contains("\"budget\": \"0.05\"")
                      && line.contains("\"capacity\": \"1MiB\"")
                      && line.contains("\"trace\": \"" + ZIPF + "\""));
    }
    assertThat(records).anyMatch(line -> line.contains("\"write-bound\""));
    assertThat(records)
        .filteredOn(line -> line.contains("\"hit_ratio_at_equal_writes\""))
        .as("of policies that keep to the budget, and not of the default itself")
        .noneMatch(line -> line.contains("\"lru\"") || line.contains("\"default\""));
    assertThat(records)
        .filteredOn(line -> line.contains("\"lookups_per_capacity\""))
        .anyMatch(line -> line.contains("\"10%\"") && line.matches(".*\"value\": 133\\..*"));
    assertThat(Files.readString(report))
        .contains("<svg", "--removal-weight", "<td>gated-tinylfu</td>");
  }

  @Test
  void shouldGiveTheSameRecordsWithAnyNumberOfThreads() throws Exception {
    Path one = directory.resolve("one.json");
    Path four = directory.resolve("four.json");

    for (String[] each : new String[][] {{"1", one.toString()}, {"4", four.toString()}}) {
      CliRun run =
          CliRun.of(
              "trace",
              "--trace=scan-mix:blocks=1500:reads=9000",
              "--policy=all",
              "--threads=" + each[0],
              "--json=" + each[1]);
      assertThat(run.exitCode()).as(run.err()).isZero();
    }

    assertThat(Files.readString(one)).isEqualTo(Files.readString(four));
  }

  @Test
  void shouldListPolicies() {
    CliRun run = CliRun.of("trace", "--list-policies");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().map(line -> line.replaceFirst(" .*", "")))
        .hasSize(TracePolicies.named().size())
        .contains("paper", "paper-20", "paper-4", "default", "s3-fifo", "gated-dynamic-random")
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldConvertToAndFro() throws Exception {
    Path csv = directory.resolve("a.csv.gz");
    Path nvtr = directory.resolve("b.nvt");
    Path again = directory.resolve("c.csv.gz");

    CliRun made =
        CliRun.of("trace", "convert", "latest:blocks=100:reads=500", csv.toString(), "--seed=3");
    CliRun there = CliRun.of("trace", "convert", csv.toString(), nvtr.toString());
    CliRun back = CliRun.of("trace", "convert", nvtr.toString(), again.toString());

    assertThat(made.exitCode()).as(made.err()).isZero();
    assertThat(there.exitCode()).as(there.err()).isZero();
    assertThat(back.exitCode()).as(back.err()).isZero();
    assertThat(made.out()).contains("500 of them reads").isEqualTo(back.out());
    assertThat(Files.readAllBytes(again)).isEqualTo(Files.readAllBytes(csv));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--trace          | no/such        | a file that can be read",
        "--format         | tar            | one of nvtr, csv, oracleGeneral, keys",
        "--policy         | best           | a list, with commas and without repetitions, of"
            + " paper,",
        "--capacity       | 101%           | a size up to 1TiB, or a percentage of the footprint",
        "--capacity       | 0              | a size up to 1TiB, or a percentage of the footprint",
        "--budget         | 11             | a number from 0 to 10",
        "--budget         | 10%            | a number from 0 to 10",
        "--dram           | some           | a size up to 1TiB, or a percentage of the footprint",
        "--removal-weight | -1             | a number from 0 to 100",
        "--second         | 0              | a whole number from 1 to 1000000000",
        "--seed           | x              | a whole number from",
        "--threads        | 0              | a whole number from 1 to 1024",
        "--json           | no/such/file   | a file that can be written, in a directory that"
            + " exists",
      })
  void shouldNameOptionValueAndWhatIsAllowed(String option, String value, String allowed) {
    CliRun run =
        option.equals("--trace")
            ? CliRun.of("trace", option, value)
            : CliRun.of("trace", "--trace", ZIPF, option, value);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).startsWith("nvcache trace: " + option + " is '" + value);
    assertThat(run.err()).contains("it must be " + allowed);
  }

  @Test
  void shouldRefuseTwoTracesOfOneName() throws Exception {
    Path csv = Files.writeString(directory.resolve("t.csv"), "1,2,3\n");
    Path keys = Files.writeString(directory.resolve("t.txt"), "2\n");

    CliRun run = CliRun.of("trace", "--trace", csv + "," + keys);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("--trace: two traces are named 't'");
  }

  @Test
  void shouldFailInOneLine() throws Exception {
    Path bad = Files.writeString(directory.resolve("bad.csv"), "1,2,3\n1,2\n");

    CliRun broken = CliRun.of("trace", "--trace", bad.toString());
    CliRun small = CliRun.of("trace", "--trace", ZIPF, "--capacity", "0.1%");
    CliRun made = CliRun.of("trace", "--trace", "zipf:blocks=0");
    CliRun target = CliRun.of("trace", "convert", ZIPF, bad.toString());

    assertThat(broken.exitCode()).isEqualTo(1);
    assertThat(broken.err().lines().toList().get(broken.err().lines().toList().size() - 1))
        .startsWith("nvcache trace: can't read trace " + bad + ": line 2 is '1,2'");
    assertThat(small.exitCode()).isEqualTo(1);
    assertThat(small.err()).contains("raise --capacity");
    assertThat(made.exitCode()).isEqualTo(2);
    assertThat(made.err()).contains("--trace: trace 'zipf:blocks=0' has 'blocks=0'; it must be");
    assertThat(target.exitCode()).isEqualTo(2);
    assertThat(target.err()).contains("TO is '" + bad + "'; it must be a new file");
  }

  @Test
  void shouldEndWhenStopped() {
    StopSignal stop = new StopSignal();
    stop.request();

    assertThat(CliRun.of(stop, "trace", "--trace", ZIPF).exitCode()).isEqualTo(130);
  }
}
