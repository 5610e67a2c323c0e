// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.Source;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus' own tool reads the alert rules, runs their tests, and reads a scrape. {@code
 * scripts/test} gets the tool and names it in {@code NVCACHE_PROMTOOL}; without it the tests are
 * skipped, unless {@code NVCACHE_REQUIRE_PROMTOOL=1}.
 */
class PromtoolTest {
  private static final Path MONITORING = Path.of("..", "docs", "run", "monitoring");
  private static final long LONGEST_SECONDS = 120;

  @TempDir private Path directory;
  private String promtool = "";

  @BeforeEach
  void findTool() {
    promtool =
        Stream.concat(
                Stream.ofNullable(System.getenv("NVCACHE_PROMTOOL")),
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                    .map(folder -> Path.of(folder, "promtool").toString()))
            .filter(file -> Files.isExecutable(Path.of(file)))
            .findFirst()
            .orElse("");
    assumeTrue(
        !promtool.isEmpty() || "1".equals(System.getenv("NVCACHE_REQUIRE_PROMTOOL")),
        "promtool is not installed; Debian's package prometheus has it");
    assertThat(promtool).as("promtool, which NVCACHE_REQUIRE_PROMTOOL asks for").isNotEmpty();
  }

  @Test
  void shouldReadAlertRules() throws Exception {
    assertThat(run("", "check", "rules", "prometheus-alerts.yml")).contains("SUCCESS: 14 rules");
  }

  @Test
  void shouldAlertOnTheSickServerAlone() throws Exception {
    Path tests = MONITORING.resolve("prometheus-alerts.test.yml");
    Path rules = MONITORING.resolve("prometheus-alerts.yml");

    assertThat(run("", "test", "rules", "prometheus-alerts.test.yml")).contains("SUCCESS");
    assertThat(names(tests, "alertname: (\\w+)")).isEqualTo(names(rules, "alert: (\\w+)"));
  }

  @Test
  void shouldReadScrape() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (BlockCache cache = BlockCache.builder().nativeMemory(16 << 20).build()) {
      NvCacheMetrics.monitor(registry, cache, "l2");
      cache.offer(1, 0, ByteBuffer.allocate(100), Source.READ);
      cache.get(1, 0, ByteBuffer.allocate(100));

      assertThat(run(registry.scrape(), "check", "metrics")).isEmpty();
    }
  }

  private static List<String> names(Path file, String pattern) throws Exception {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map(found -> found.group(1))
        .distinct()
        .sorted()
        .toList();
  }

  /** What the tool prints, if it is content. */
  private String run(String input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(promtool));
    command.addAll(List.of(arguments));
    Path in = Files.writeString(directory.resolve("in"), input);
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(command)
            .directory(MONITORING.toFile())
            .redirectInput(in.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).as("promtool ends").isTrue();
      String printed = Files.readString(out, StandardCharsets.UTF_8);
      assertThat(process.exitValue()).as(printed).isZero();
      return printed;
    } finally {
      process.destroyForcibly();
    }
  }
}
