// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
  private static final Path DIRECTORY = Path.of("..", "docs", "run", "monitoring");
  private static final Pattern EXPRESSION =
      Pattern.compile("\"(?:expr|query)\": \"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern SERIES =
      Pattern.compile("\\b((?:nv)?cache_[a-z_]+)\\b(?:\\{([^}]*)\\})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)=~?\"([^\"]*)\"");

  private static final Pattern GROUPING =
      Pattern.compile("\\b(by|without|on|ignoring) *\\(([^)]*)\\)");

  private final List<ScrapedServer> servers = new ArrayList<>();

  @BeforeEach
  void serve() throws IOException {
    servers.add(new ScrapedServer("a"));
    servers.add(new ScrapedServer("b"));
  }

  @AfterEach
  void close() {
    servers.forEach(ScrapedServer::close);
  }

  /** All samples of one scrape of each server, each as its labels, by series. */
  private Map<String, List<Map<String, String>>> scrape() throws Exception {
    Map<String, List<Map<String, String>>> samples = new TreeMap<>();
    for (ScrapedServer server : servers) {
      for (ScrapedServer.Sample sample : server.scrape()) {
        samples.computeIfAbsent(sample.series(), name -> new ArrayList<>()).add(sample.labels());
      }
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
    List<String> expressions = expressions(dashboard);

    assertThat(expressions).hasSizeGreaterThan(20);
    assertAllThere(expressions, scrape());
    for (String by : legends(dashboard)) {
      assertThat(scrape().values()).as("label %s", by).anyMatch(s -> s.get(0).containsKey(by));
    }
  }

  private static List<String> expressions(String dashboard) {
    return EXPRESSION
        .matcher(dashboard)
        .results()
        .map(match -> match.group(1).replace("\\\"", "\""))
        .filter(text -> !text.equals("prometheus"))
        .toList();
  }

  /** Servers give their caches the same names: a sum over servers would hide the sick one. */
  @Test
  void shouldTellServersApart() throws Exception {
    String dashboard = Files.readString(DIRECTORY.resolve("grafana-dashboard.json"));
    for (String expression : expressions(dashboard)) {
      Matcher grouping = GROUPING.matcher(expression);
      while (grouping.find()) {
        List<String> labels = List.of(grouping.group(2).split(" *, *"));
        boolean kept = List.of("without", "ignoring").contains(grouping.group(1));
        assertThat(labels.contains("instance")).as(expression).isNotEqualTo(kept);
        assertThat(labels.contains("cache")).as(expression).isNotEqualTo(kept);
      }
      Matcher series = SERIES.matcher(expression);
      while (!expression.startsWith("label_values") && series.find()) {
        assertThat(series.group(2))
            .as(expression)
            .contains("instance=~\"$instance\"", "cache=~\"$cache\"");
      }
    }
    assertThat(expressions(dashboard))
        .contains("label_values(nvcache_capacity_bytes, instance)")
        .contains("label_values(nvcache_capacity_bytes{instance=~\"$instance\"}, cache)");
    assertThat(
            Pattern.compile("\"legendFormat\": \"(.*?)\"")
                .matcher(dashboard)
                .results()
                .map(match -> match.group(1)))
        .hasSizeGreaterThan(20)
        .allMatch(legend -> legend.startsWith("{{instance}} {{cache}}"));
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

    assertThat(expressions).hasSize(14);
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
        .filteredOn(
            name -> !List.of("nvcache_evictions_deferred_total", "nvcache_blocks").contains(name))
        .allMatch(dashboard::contains);
  }
}
