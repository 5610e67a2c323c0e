// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole way, too short for its figures to mean anything. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LuceneBenchCommandTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void shouldMeasureAndLeaveNothingBehind(LuceneScenario scenario) throws IOException {
    Path work = Files.createDirectory(directory.resolve("work"));
    Path json = directory.resolve("bench.json");
    CliRun run =
        CliRun.of(
            "bench",
            "lucene",
            "--scenarios",
            scenario.label(),
            "--documents",
            "5000",
            "--seconds",
            "1",
            "--latency-us",
            "50",
            "--directory",
            work.toString(),
            "--json",
            json.toString(),
            "--quiet");

    assertThat(run.exitCode()).as(run.err()).isZero();
    String records = Files.readString(json);
    for (LuceneEngine engine : LuceneEngine.values()) {
      if (!engine.canRun(scenario)) {
        continue;
      }
      assertThat(run.out()).contains(engine.label());
      assertThat(records).contains(record("ratio_to_mmap", engine, scenario));
      assertThat(records).contains(record("ratio_to_caffeine_direct", engine, scenario));
      assertThat(records).contains(record("ratio_to_niofs", engine, scenario));
      assertThat(records).contains(record("wrong_results", engine, scenario) + ", \"value\": 0,");
    }
    assertThat(records).contains(record("hit_ratio", LuceneEngine.NVCACHE, scenario));
    assertThat(records.contains(record("ratio_to_default_warm", LuceneEngine.NVCACHE, scenario)))
        .isEqualTo(scenario == LuceneScenario.BEYOND_MEMORY);
    try (Stream<Path> left = Files.list(work)) {
      assertThat(left).isEmpty();
    }
  }

  private static String record(String metric, LuceneEngine engine, LuceneScenario scenario) {
    return "{\"metric\": \""
        + metric
        + "\", \"labels\": {\"engine\": \""
        + engine.label()
        + "\", \"scenario\": \""
        + scenario.label()
        + "\"}";
  }

  private CliRun search(Path index, String documents) {
    return CliRun.of(
        "bench",
        "lucene",
        "--scenarios",
        "warm",
        "--engines",
        "mmap,niofs",
        "--documents",
        documents,
        "--json",
        directory.resolve("search.json").toString(),
        "--seconds",
        "1",
        "--index",
        index.toString(),
        "--directory",
        directory.toString(),
        "--quiet");
  }

  @Test
  void shouldKeepTheIndexForRunsOfTheSameDocuments() throws IOException {
    Path index = directory.resolve("index");
    assertThat(search(index, "1000").exitCode()).isZero();
    List<String> written = names(index);
    assertThat(Files.readString(directory.resolve("search.json")))
        .as("records where plain reads come last")
        .contains(record("ratio_to_niofs", LuceneEngine.MMAP, LuceneScenario.WARM));

    assertThat(search(index, "1000").exitCode()).isZero();
    assertThat(names(index)).isEqualTo(written);
    CliRun other = search(index, "1001");
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.err()).contains("documents=1000", "documents=1001");
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void shouldRefuseAnEngineThatIsNone() {
    CliRun run = CliRun.of("bench", "lucene", "--engines", "rocks");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("rocks", "caffeine-direct");
  }
}
