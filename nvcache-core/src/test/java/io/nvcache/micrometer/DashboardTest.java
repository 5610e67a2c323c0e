// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each series that the dashboard and the alert rules name is there when Prometheus asks. */
final class DashboardTest {
  private static final Path DIRECTORY = Path.of("..", "docs", "monitoring");
  private static final Pattern EXPRESSION =
      Pattern.compile("\"(?:expr|query)\": \"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern SERIES =
      Pattern.compile("\\b((?:nv)?cache_[a-z_]+)\\b(?:\\{([^}]*)\\})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)=~?\"([^\"]*)\"");
  private static final Pattern SAMPLE =
      Pattern.compile("^(\\w+)\\{([^}]*)\\} \\S+$", Pattern.MULTILINE);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(4096)
          .maintainedByCaller()
          .shadows(0.5, "live@20%")
          .build();
  private HttpServer endpoint;

  /** The endpoint of docs/operations.md. */
  @BeforeEach
  void serve() throws IOException {
    NvCacheMetrics.monitor(registry, cache, "blocks");
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext(
        "/metrics",
        exchange -> {
          byte[] page = registry.scrape().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    endpoint.start();
    ByteBuffer block = ByteBuffer.allocate(4096);
    for (int i = 0; i < 2_000; i++) {
      long offset = i % 300 * 4096L;
      if (cache.get(1, offset, block.clear()) == BlockCache.MISS) {
        cache.offer(1, offset, block.clear(), Source.READ);
      }
    }
  }

  @AfterEach
  void close() {
    endpoint.stop(0);
    cache.close();
  }

  /** All samples of one scrape, each as its labels, by series. */
  private Map<String, List<Map<String, String>>> scrape() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + endpoint.getAddress().getPort() + "/metrics"))
            .build();
    String page =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    Map<String, List<Map<String, String>>> samples = new TreeMap<>();
    Matcher sample = SAMPLE.matcher(page);
    while (sample.find()) {
      samples
          .computeIfAbsent(sample.group(1), name -> new ArrayList<>())
          .add(labels(sample.group(2)));
    }
    assertThat(samples).hasSizeGreaterThan(30);
    return samples;
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new TreeMap<>();
    Matcher matcher = MATCHER.matcher(text);
    while (matcher.find()) {
      labels.put(matcher.group(1), matcher.group(2));
    }
    return labels;
  }

  private static void assertAllThere(
      List<String> expressions, Map<String, List<Map<String, String>>> samples) {
    for (String expression : expressions) {
      Matcher series = SERIES.matcher(expression);
      int found = 0;
      while (series.find()) {
        found++;
        assertThat(samples).as("series of: %s", expression).containsKey(series.group(1));
        Map<String, String> wanted =
            labels(series.group(2) == null ? "" : series.group(2).replace("\\", ""));
        assertThat(samples.get(series.group(1)))
            .as("labels of: %s", expression)
            .anyMatch(labels -> suits(labels, wanted));
      }
      assertThat(found).as(expression).isPositive();
    }
  }

  private static boolean suits(Map<String, String> labels, Map<String, String> wanted) {
    return wanted.entrySet().stream()
        .allMatch(
            entry ->
                labels.containsKey(entry.getKey())
                    && (entry.getValue().startsWith("$")
                        || labels.get(entry.getKey()).equals(entry.getValue())));
  }

  @Test
  void shouldHaveEachSeriesOfTheDashboard() throws Exception {
    String dashboard = Files.readString(DIRECTORY.resolve("grafana-dashboard.json"));
    List<String> expressions =
        EXPRESSION
            .matcher(dashboard)
            .results()
            .map(match -> match.group(1).replace("\\\"", "\""))
            .filter(text -> !text.equals("prometheus"))
            .toList();

    assertThat(expressions).hasSizeGreaterThan(20);
    assertAllThere(expressions, scrape());
    for (String by : legends(dashboard)) {
      assertThat(scrape().values()).as("label %s", by).anyMatch(s -> s.get(0).containsKey(by));
    }
  }

  private static List<String> legends(String dashboard) {
    return Pattern.compile("\\{\\{(\\w+)\\}\\}")
        .matcher(dashboard)
        .results()
        .map(match -> match.group(1))
        .distinct()
        .toList();
  }

  @Test
  void shouldHaveEachSeriesOfTheAlertRules() throws Exception {
    String rules = Files.readString(DIRECTORY.resolve("prometheus-alerts.yml"));
    List<String> expressions =
        Pattern.compile("expr: (?:>-\\n)?(.*?)\\n +for:", Pattern.DOTALL)
            .matcher(rules)
            .results()
            .map(match -> match.group(1))
            .toList();

    assertThat(expressions).hasSize(10);
    assertAllThere(expressions, scrape());
  }

  /** The reverse: no meter is left out of sight. */
  @Test
  void shouldShowEachMeterOfTheCacheInTheDashboard() throws Exception {
    String dashboard = Files.readString(DIRECTORY.resolve("grafana-dashboard.json"));

    assertThat(scrape().keySet())
        .filteredOn(name -> name.startsWith("nvcache_"))
        .filteredOn(name -> !List.of("nvcache_dataset_bytes").contains(name))
        .filteredOn(name -> !List.of("nvcache_medium_read_bytes_total").contains(name))
        .filteredOn(name -> !List.of("nvcache_evictions_deferred_total").contains(name))
        .allMatch(dashboard::contains);
  }
}
