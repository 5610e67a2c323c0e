// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.micrometer.core.instrument.binder.cache.CaffeineStatsCounter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.Source;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prometheus refuses a meter whose tag keys differ from an earlier one's of the same name. */
class PrometheusScrapeTest {
  @Test
  void shouldScrapeTwoCachesBesideCaffeinesMeters() {
    List<String> refused = new ArrayList<>();
    PrometheusMeterRegistry registry = registry(refused);
    CaffeineCacheMetrics.monitor(registry, Caffeine.newBuilder().recordStats().build(), "l1");
    try (BlockCache one = new ReferenceBlockCache();
        BlockCache two = new ReferenceBlockCache()) {
      new NvCacheMetrics(one, "l2", Tags.empty()).withCacheMeters().bindTo(registry);
      new NvCacheMetrics(two, "l3", Tags.empty()).withCacheMeters().bindTo(registry);
      one.offer(1, 0, ByteBuffer.allocate(100), Source.FLUSH);
      two.get(1, 0, ByteBuffer.allocate(100));

      String scrape = registry.scrape();
      assertThat(refused).isEmpty();
      assertThat(scrape)
          .contains("cache_puts_total{cache=\"l2\"} 1.0")
          .contains("cache_gets_total{cache=\"l1\",result=\"miss\"} 0.0")
          .contains("cache_gets_total{cache=\"l3\",result=\"miss\"} 1.0")
          .contains("nvcache_offers_total{cache=\"l2\",source=\"flush\"} 1.0")
          .contains("nvcache_bypasses_total{cache=\"l3\",reason=\"bypassed_overhead\"} 0.0")
          .contains("nvcache_evictions_total{cache=\"l2\",cause=\"displaced\"} 0.0")
          .contains("nvcache_medium_written_bytes_total{cache=\"l2\"} 100.0")
          .contains("nvcache_block_bytes{cache=\"l2\"} 100.0")
          .contains("nvcache_overhead{cache=\"l2\"} NaN");
    }
  }

  private static PrometheusMeterRegistry registry(List<String> refused) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().onMeterRegistrationFailed((id, reason) -> refused.add(id.getName()));
    return registry;
  }

  /** Whoever comes first has the name; which is why there is a way to leave ours out. */
  @Test
  void shouldHaveItsEvictionsUnlessCaffeinesStatsCounterWasFirst() {
    List<String> refused = new ArrayList<>();
    PrometheusMeterRegistry oursFirst = registry(refused);
    PrometheusMeterRegistry theirsFirst = registry(refused);
    try (BlockCache cache = new ReferenceBlockCache()) {
      new NvCacheMetrics(cache, "l2", Tags.empty()).withCacheMeters().bindTo(oursFirst);
      assertThat(refused).isEmpty();
      CaffeineStatsCounter unseen = new CaffeineStatsCounter(oursFirst, "l1");
      unseen.recordEviction(1, RemovalCause.SIZE);
      assertThat(refused).containsOnly("cache.evictions").hasSize(RemovalCause.values().length);
      assertThat(oursFirst.scrape())
          .contains("cache_evictions_total{cache=\"l2\"} 0.0")
          .doesNotContain("cache_evictions_sum");

      refused.clear();
      CaffeineStatsCounter seen = new CaffeineStatsCounter(theirsFirst, "l1");
      seen.recordEviction(1, RemovalCause.SIZE);
      new NvCacheMetrics(cache, "l2", Tags.empty()).withCacheMeters().bindTo(theirsFirst);
      assertThat(refused).containsExactly("cache.evictions");
      assertThat(theirsFirst.scrape())
          .contains("cache_evictions_count{cache=\"l1\",cause=\"SIZE\"} 1")
          .contains("nvcache_evictions_total{cache=\"l2\",cause=\"policy\"} 0.0")
          .doesNotContain("cache_evictions_total{cache=\"l2\"}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ours first", "theirs first"})
  void shouldLeaveTheNameOfEvictionsToCaffeinesStatsCounter(String order) {
    List<String> refused = new ArrayList<>();
    PrometheusMeterRegistry registry = registry(refused);
    try (BlockCache cache = new ReferenceBlockCache()) {
      NvCacheMetrics ours =
          new NvCacheMetrics(cache, "l2", Tags.empty()).withCacheMeters().withoutCacheEvictions();
      if (order.equals("ours first")) {
        ours.bindTo(registry);
      }
      CaffeineStatsCounter theirs = new CaffeineStatsCounter(registry, "l1");
      ours.bindTo(registry);
      theirs.recordEviction(1, RemovalCause.SIZE);

      assertThat(refused).isEmpty();
      assertThat(registry.scrape())
          .contains("cache_evictions_count{cache=\"l1\",cause=\"SIZE\"} 1")
          .contains("nvcache_evictions_total{cache=\"l2\",cause=\"policy\"} 0.0")
          .contains("cache_puts_total{cache=\"l2\"} 0.0")
          .doesNotContain("\ncache_evictions_total");
    }
  }

  /** As Spring Boot binds its caches. */
  private static final Tags OF_BOOT = Tags.of("cache.manager", "cacheManager", "name", "users");

  @ParameterizedTest
  @ValueSource(
      strings = {"ours first", "theirs first", "ours first by their names", "by their names"})
  void shouldShowAllCachesBesideThoseOfSpringBoot(String order) {
    List<String> refused = new ArrayList<>();
    PrometheusMeterRegistry registry = registry(refused);
    Cache<String, String> users = Caffeine.newBuilder().maximumSize(10).recordStats().build();
    try (BlockCache cache = new ReferenceBlockCache()) {
      boolean byTheirNames = order.endsWith("by their names");
      NvCacheMetrics ours =
          byTheirNames
              ? new NvCacheMetrics(
                      cache, "blocks", Tags.of("cache.manager", "nvcache", "name", "blocks"))
                  .withCacheMeters()
              : new NvCacheMetrics(cache, "blocks", Tags.empty());
      if (order.startsWith("ours first")) {
        ours.bindTo(registry);
      }
      CaffeineCacheMetrics.monitor(registry, users, "users", OF_BOOT);
      ours.bindTo(registry);

      assertThat(refused).isEmpty();
      String scrape = registry.scrape();
      for (String name : List.of("cache_gets_total", "cache_size", "cache_puts_total")) {
        assertThat(shown(scrape, name, "users")).as(name).isTrue();
        assertThat(shown(scrape, name, "blocks")).as(name).isEqualTo(byTheirNames);
      }
      for (String name : List.of("lookups_total", "admissions_total", "blocks", "misses_total")) {
        assertThat(shown(scrape, "nvcache_" + name, "blocks")).as(name).isTrue();
      }
    }
  }

  private static boolean shown(String scrape, String meter, String cache) {
    return scrape
        .lines()
        .anyMatch(line -> line.startsWith(meter + "{") && line.contains("cache=\"" + cache + "\""));
  }
}
