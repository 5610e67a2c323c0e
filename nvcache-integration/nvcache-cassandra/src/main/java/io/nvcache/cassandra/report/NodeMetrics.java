// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.report;

import com.codahale.metrics.Gauge;
import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.Tier;
import io.nvcache.control.CacheHealth;
import io.nvcache.stats.RecentStats;
import java.time.Duration;
import java.util.function.Function;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.DefaultNameFactory;
import org.apache.cassandra.metrics.MetricNameFactory;

/**
 * Puts the counts of the cache into Cassandra's metrics, where every exporter of a node looks: as
 * {@code org.apache.cassandra.metrics:type=NVCache,name=…} over JMX. The names are taken from
 * Cassandra's own caches where there are such.
 */
public final class NodeMetrics {
  private static final String TYPE = "NVCache";
  private static final Duration SNAPSHOT_AGE = Duration.ofMillis(100);

  private final MetricNameFactory names = new DefaultNameFactory(TYPE);
  private final RecentStats recent = new RecentStats(System::nanoTime, SNAPSHOT_AGE);
  private final BlockCache cache;

  private NodeMetrics(BlockCache cache) {
    this.cache = cache;
  }

  public static void register(Tier tier, BlockCache cache) {
    NodeMetrics metrics = new NodeMetrics(cache);
    metrics.add("Capacity", CacheStats::capacityBytes);
    metrics.add("Size", CacheStats::blockBytes);
    metrics.add("Entries", CacheStats::blocks);
    metrics.add("Requests", CacheStats::lookups);
    metrics.add("Hits", stats -> ServedReads.of(stats, tier.bypasses()));
    metrics.add("Misses", stats -> stats.lookups() - ServedReads.of(stats, tier.bypasses()));
    metrics.add("HitRate", stats -> ServedReads.ratio(stats, tier.bypasses()));
    metrics.add("HitBytes", CacheStats::hitBytes);
    metrics.add("Evictions", stats -> stats.evictions() + stats.displacements());
    metrics.add("Invalidations", CacheStats::invalidations);
    metrics.add("WrittenBytes", CacheStats::mediumWrittenBytes);
    metrics.add("DeviceWrittenBytes", CacheStats::deviceWrittenBytes);
    metrics.add("WritesPerLookup", CacheStats::writesPerLookup);
    metrics.add("MediumFailures", CacheStats::mediumFailures);
    metrics.add("DataSetBytes", stats -> stats.dataSetBytes().orElse(-1));
    metrics.addHealth("InService", health -> health.inService() ? 1 : 0);
    metrics.addHealth("ChecksumFailures", CacheHealth::checksumFailures);
    metrics.addHealth("QuarantinedBlocks", CacheHealth::quarantinedBlocks);
    metrics.gauge("CompactionHits", () -> tier.compactionHits().sum());
    for (OfferResult result : OfferResult.values()) {
      metrics.add("Offers-" + result.name(), stats -> stats.offers(result));
    }
    for (Bypass reason : Bypass.values()) {
      metrics.add("Bypasses-" + reason.name(), stats -> tier.bypasses().of(reason));
    }
  }

  private void add(String name, Function<CacheStats, Number> value) {
    gauge(name, () -> value.apply(recent.of(cache)));
  }

  private void addHealth(String name, Function<CacheHealth, Number> value) {
    gauge(name, () -> value.apply(cache.control().health()));
  }

  private void gauge(String name, Gauge<Number> gauge) {
    CassandraMetricsRegistry.Metrics.register(names.createMetricName(name), gauge);
  }
}
