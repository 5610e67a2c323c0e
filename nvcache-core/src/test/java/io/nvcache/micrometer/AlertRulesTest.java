// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.micrometer.ScrapedServer.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the alert rules say of two servers whose caches have the same name. */
final class AlertRulesTest {
  private static final Path RULES =
      Path.of("..", "docs", "run", "monitoring", "prometheus-alerts.yml");
  private static final Pattern RULE =
      Pattern.compile("- alert: (\\w+).*\\n +expr: (?:>-\\n)?(?s:(.*?))\\n +for:");
  private static final Pattern WHAT = Pattern.compile("(\\w+)(?:\\{(.*)\\})?(?:\\[(\\w+)\\])?");

  private final List<Sample> scraped = new ArrayList<>();

  /** Numbers that differ from those scraped, by what they are of. */
  private final Map<String, Double> told = new HashMap<>();

  @BeforeEach
  void scrape() throws Exception {
    for (String instance : List.of("a", "b")) {
      try (ScrapedServer server = new ScrapedServer(instance)) {
        scraped.addAll(server.scrape());
      }
    }
  }

  private static Map<String, String> rules() throws Exception {
    Map<String, String> rules = new TreeMap<>();
    RULE.matcher(Files.readString(RULES))
        .results()
        .forEach(rule -> rules.put(rule.group(1), rule.group(2)));
    return rules;
  }

  /** {@code series{label=value,…}[range] number}; a counter stands still in ranges not told of. */
  private void tell(String text) {
    String[] parts = text.strip().split(" ", 2);
    var what = WHAT.matcher(parts[0]);
    assertThat(what.matches()).as(text).isTrue();
    Map<String, String> wanted = new TreeMap<>();
    Arrays.stream(what.group(2).split(",", -1))
        .map(label -> label.split("=", 2))
        .forEach(label -> wanted.put(label[0], label[1]));
    String range = what.group(3) == null ? "" : what.group(3);
    List<Sample> suiting =
        scraped.stream()
            .filter(sample -> sample.series().equals(what.group(1)))
            .filter(sample -> sample.labels().entrySet().containsAll(wanted.entrySet()))
            .toList();
    assertThat(suiting).as("scraped of %s", text).isNotEmpty();
    suiting.forEach(
        sample ->
            told.put(sample.series() + sample.labels() + range, Double.parseDouble(parts[1])));
  }

  private List<Sample> read(String series, String function, String range) {
    return scraped.stream()
        .filter(sample -> sample.series().equals(series))
        .map(
            sample ->
                new Sample(
                    series,
                    sample.labels(),
                    told.getOrDefault(
                        series + sample.labels() + range,
                        Set.of("rate", "increase").contains(function) ? 0 : sample.value())))
        .toList();
  }

  /** As {@code rule instance}. */
  private Set<String> fired() throws Exception {
    Set<String> fired = new TreeSet<>();
    for (Map.Entry<String, String> rule : rules().entrySet()) {
      for (Map<String, String> labels : PromExpression.evaluate(rule.getValue(), this::read)) {
        assertThat(labels).as(rule.getKey()).containsKeys("instance", "job", "cache");
        fired.add(rule.getKey() + " " + labels.get("instance"));
      }
    }
    return fired;
  }

  @Test
  void shouldBeSilentAboutCachesThatAreWell() throws Exception {
    assertThat(rules()).hasSize(14);
    assertThat(fired()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NvCacheMediumFailing | nvcache_medium_failures_total{instance=b}[10m] 16",
        "NvCacheOutages | nvcache_outages_total{instance=b}[30m] 3",
        "NvCacheOutOfService | nvcache_in_service{instance=b}[5m] 0.1",
        "NvCacheChecksumFailures | nvcache_checksum_failures_total{instance=b}[1h] 1",
        "NvCachePolicyFailing | nvcache_condition{instance=b,condition=policy_failing} 1",
        "NvCacheBackgroundFailing | nvcache_maintenance_age_seconds{instance=b} 61",
        "NvCacheInvalidationsUnsaved |"
            + " nvcache_condition{instance=b,condition=invalidations_unsaved} 1",
        "NvCacheDriveLost | nvcache_condition{instance=b,condition=drive_lost} 1",
        "NvCacheBypassing | nvcache_condition{instance=b,condition=bypassing} 1;"
            + "nvcache_bypasses_total{instance=b,reason=no_space}[15m] 1",
        "NvCacheLeasesExhausted | nvcache_condition{instance=b,condition=pins_exhausted} 1",
        "NvCacheWriteLimited | nvcache_condition{instance=b,condition=write_limited} 1",
        "NvCacheDayLimitNear | nvcache_write_limit_day_bytes{cache=blocks} 1000;"
            + "nvcache_device_written_bytes_total{instance=a}[24h] 899;"
            + "nvcache_device_written_bytes_total{instance=b}[24h] 901",
        // Server a has ten times the lookups, and would hide in a sum what b has lost.
        "NvCacheHitRatioFell | nvcache_lookups_total{instance=a,result=hit}[10m] 8000;"
            + "nvcache_lookups_total{instance=a,result=miss}[10m] 2000;"
            + "nvcache_lookups_total{instance=a,result=hit}[1d] 8000;"
            + "nvcache_lookups_total{instance=a,result=miss}[1d] 2000;"
            + "nvcache_lookups_total{instance=b,result=hit}[10m] 390;"
            + "nvcache_lookups_total{instance=b,result=miss}[10m] 610;"
            + "nvcache_lookups_total{instance=b,result=hit}[1d] 800;"
            + "nvcache_lookups_total{instance=b,result=miss}[1d] 200",
        "NvCacheIndexFull | nvcache_evictions_total{cause=displaced}[10m] 5;"
            + "nvcache_used_bytes{instance=a} 1000000;"
            + "nvcache_used_bytes{instance=b} 500000",
      })
  void shouldTellTheServerThatIsIll(String rule, String story) throws Exception {
    for (String sentence : story.split(";", -1)) {
      tell(sentence);
    }
    assertThat(fired()).containsExactly(rule + " b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // The index of a is full, the medium of b has room.
        "nvcache_evictions_total{instance=a,cause=displaced}[10m] 5;"
            + "nvcache_used_bytes{instance=a} 1000000;nvcache_used_bytes{instance=b} 0",
        // It is told to admit nothing.
        "nvcache_condition{instance=b,condition=bypassing} 1;"
            + "nvcache_overhead_target{instance=b} 0;"
            + "nvcache_bypasses_total{instance=b,reason=bypassed_overhead}[15m] 1",
        // The data fit in DRAM.
        "nvcache_condition{instance=b,condition=bypassing} 1;"
            + "nvcache_bypasses_total{instance=b,reason=bypassed_small}[15m] 100;"
            + "nvcache_bypasses_total{instance=b,reason=too_large}[15m] 1",
        // It came back at the second try.
        "nvcache_outages_total{instance=b}[30m] 2;nvcache_in_service{instance=b}[5m] 0.9",
        "nvcache_write_limit_day_bytes{instance=a} 1000;"
            + "nvcache_device_written_bytes_total{instance=b}[24h] 901",
      })
  void shouldBeSilentAboutWhatIsMeantOrOfAnotherServer(String story) throws Exception {
    for (String sentence : story.split(";", -1)) {
      tell(sentence);
    }
    assertThat(fired()).isEmpty();
  }

  @Test
  void shouldNameCacheAndServerInEachSummary() throws Exception {
    List<String> summaries =
        Files.readAllLines(RULES).stream()
            .filter(line -> line.contains("summary: "))
            .collect(Collectors.toList());
    assertThat(summaries)
        .hasSameSizeAs(rules().keySet())
        .allMatch(line -> line.contains("{{ $labels.cache }} on {{ $labels.instance }}"));
  }
}
