// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

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
    try (BlockCache one = NvCacheMetrics.monitor(registry, new ReferenceBlockCache(), "l2");
        BlockCache two = NvCacheMetrics.monitor(registry, new ReferenceBlockCache(), "l3")) {
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
      NvCacheMetrics.monitor(oursFirst, cache, "l2");
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
      NvCacheMetrics.monitor(theirsFirst, cache, "l2");
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
      NvCacheMetrics ours = new NvCacheMetrics(cache, "l2", Tags.empty()).withoutCacheEvictions();
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
}
