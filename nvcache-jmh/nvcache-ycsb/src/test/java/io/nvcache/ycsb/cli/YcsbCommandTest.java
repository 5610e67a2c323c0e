// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nvcache.cli.CliRun;
import io.nvcache.llpl.PmemLibraries;
import io.nvcache.progress.StopSignal;
import io.nvcache.ycsb.report.SampleResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole command on a small store: a few thousand records, a few thousand operations. */
class YcsbCommandTest {
  @TempDir private Path directory;
  private Path data;

  @BeforeEach
  void makeDataDirectory() throws IOException {
    data = Files.createDirectory(directory.resolve("data"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "flash", "llpl", "emulated-nvram"})
  void shouldComparePoliciesOnEachMedium(String medium) throws Exception {
    assumeTrue(!medium.equals("llpl") || PmemLibraries.problem() == null, "LLPL can't be loaded");
    Path json = directory.resolve("out.json");
    Path report = directory.resolve("out.html");
    List<String> more = List.of("--json", json.toString(), "--report", report.toString());
    List<String> ofMedium =
        List.of("mapped", "flash", "llpl").contains(medium)
            ? List.of("--path", data.resolve("nv").toString())
            : List.of();

    CliRun run = ycsb(new StopSignal(), more, ofMedium, List.of("--medium", medium));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("YCSB C", "YCSB A", "no wrong values", "Failed operations: 0.");
    assertThat(Files.readString(report)).contains("--records", "--medium", "<dd>" + medium);
    for (String policy : List.of("none", "admit-all", "paper", "default")) {
      assertThat(run.out()).contains(policy);
      assertThat(Files.readString(report)).contains("<td>" + policy + "</td>");
      for (String workload : List.of("C", "A")) {
        Map<String, Double> metrics = metrics(json, workload, policy, medium);
        assertThat(metrics.get("wrong_values")).isZero();
        assertThat(metrics.get("failed_operations")).isZero();
        assertThat(metrics.get("verified_reads")).isPositive();
        assertThat(metrics.get("throughput")).isPositive();
        assertThat(metrics.containsKey("hit_ratio")).isEqualTo(!policy.equals("none"));
      }
    }
    assertThat(metrics(json, "C", "admit-all", medium).get("hit_ratio")).isPositive();
    assertDataIsGone();
  }

  @Test
  void shouldCarryHeatWhereFilesAreMerged() throws Exception {
    Path json = directory.resolve("out.json");

    CliRun run = compacting("on", json);

    assertThat(run.exitCode()).as(run.err()).isZero();
    Map<String, Double> all = metrics(json, "A", "default", "native");
    assertThat(all.get("compactions")).isPositive();
    assertThat(all.get("carried_blocks")).isPositive();
    assertThat(metrics(json, "A", "none", "native").get("carried_blocks")).isZero();
  }

  @Test
  void shouldCarryNothingIfHeatIsOff() throws Exception {
    Path json = directory.resolve("out.json");

    compacting("off", json);

    Map<String, Double> metrics = metrics(json, "A", "default", "native");
    assertThat(metrics.get("compactions")).isPositive();
    assertThat(metrics.get("carried_blocks")).isZero();
  }

  private CliRun compacting(String heat, Path json) {
    List<String> args = new ArrayList<>(List.of("--workload", "A", "--policies", "none,default"));
    args.addAll(List.of("--memtable", "64KiB", "--compaction-heat", heat));
    args.addAll(List.of("--json", json.toString()));
    return ycsb(new StopSignal(), args);
  }

  @Test
  void shouldPassOverWarmUpAndMeasureTheRest() throws Exception {
    Path json = directory.resolve("out.json");

    ycsb(new StopSignal(), List.of("--json", json.toString(), "--warm-up", "40%"));

    assertThat(metrics(json, "C", "default", "native").get("operations")).isEqualTo(1800);
  }

  @Test
  void shouldReportNothingWhenStoppedDuringLoad() throws Exception {
    StopSignal stop = new StopSignal();
    stop.request();

    CliRun run = ycsb(stop);

    assertThat(run.exitCode()).isEqualTo(130);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("stopped during the load; nothing was measured");
    assertDataIsGone();
  }

  @ParameterizedTest
  @CsvSource({"0,0,false,0", "1,0,false,1", "0,1,false,1", "0,0,true,130", "1,0,true,1"})
  void shouldNotTrustWrongValuesNorFailedOperations(
      long wrongValues, long failedOperations, boolean interrupted, int exitCode) {
    StringWriter err = new StringWriter();

    int actual =
        YcsbCommand.exitCode(
            SampleResults.flawed(wrongValues, failedOperations, interrupted),
            new PrintWriter(err, true));

    assertThat(actual).isEqualTo(exitCode);
    assertThat(err.toString()).hasLineCount(exitCode == 1 ? 1 : 0);
  }

  @Test
  void shouldFailInOneLineAndShowWhereOnDemand() throws Exception {
    String path = data.resolve("x".repeat(300)).toString();
    List<String> impossible = List.of("--medium", "mapped", "--path", path, "--quiet");

    CliRun brief = ycsb(new StopSignal(), impossible);
    CliRun verbose = ycsb(new StopSignal(), impossible, List.of("--verbose"));

    assertThat(brief.exitCode()).isEqualTo(1);
    assertThat(brief.err()).startsWith("nvcache ycsb: ").contains(path).hasLineCount(1);
    assertThat(verbose.exitCode()).isEqualTo(1);
    assertThat(verbose.err()).contains("\tat io.nvcache.");
    assertDataIsGone();
  }

  @SafeVarargs
  private CliRun ycsb(StopSignal stop, List<String>... more) {
    List<String> args = new ArrayList<>(List.of("ycsb", "--directory", data.toString()));
    args.addAll(List.of("--records", "6000", "--operations", "3000", "--threads", "2"));
    args.addAll(List.of("--capacity", "4MiB", "--dram", "256KiB", "--block-bytes", "4KiB"));
    Stream.of(more).forEach(args::addAll);
    return CliRun.of(stop, args.toArray(new String[0]));
  }

  private void assertDataIsGone() throws IOException {
    try (Stream<Path> left = Files.list(data)) {
      assertThat(left).isEmpty();
    }
  }

  /** Values by metric of one policy on one workload, those with further labels left out. */
  private static Map<String, Double> metrics(
      Path json, String workload, String policy, String medium) throws IOException {
    Map<String, Double> metrics = new HashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(json.toFile())) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        Map<String, String> record = flat(parser);
        if (workload.equals(record.get("labels.workload"))
            && policy.equals(record.get("labels.policy"))
            && medium.equals(record.get("labels.medium"))
            && !record.containsKey("labels.outcome")
            && !record.containsKey("labels.operation")) {
          metrics.put(record.get("metric"), Double.valueOf(record.get("value")));
        }
      }
    }
    return metrics;
  }

  private static Map<String, String> flat(JsonParser parser) throws IOException {
    Map<String, String> record = new HashMap<>();
    String prefix = "";
    while (true) {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_OBJECT) {
        prefix = "labels.";
      } else if (token == JsonToken.END_OBJECT && prefix.isEmpty()) {
        return record;
      } else if (token == JsonToken.END_OBJECT) {
        prefix = "";
      } else if (token.isScalarValue()) {
        record.put(prefix + parser.currentName(), parser.getText());
      }
    }
  }
}
