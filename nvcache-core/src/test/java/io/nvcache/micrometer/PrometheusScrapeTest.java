// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.Source;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prometheus refuses a meter whose tag keys differ from an earlier one's of the same name. */
class PrometheusScrapeTest {
  @Test
  void shouldScrapeTwoCachesBesideCaffeinesMeters() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    List<String> refused = new ArrayList<>();
    registry.config().onMeterRegistrationFailed((id, reason) -> refused.add(id + ": " + reason));
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
}
