// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nvcache.BlockCache;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Meters live as long as their cache, and show that one alone. */
final class MetersLifetimeTest {
  private static final int MIB = 1 << 20;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<BlockCache> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(BlockCache::close);
  }

  private BlockCache open(int capacityBytes) {
    BlockCache cache =
        BlockCache.builder()
            .nativeMemory(capacityBytes)
            .maxBlockBytes(4096)
            .maintainedByCaller()
            .shadows(0.5, "live@20%", "paper")
            .build();
    opened.add(cache);
    return cache;
  }

  private List<String> capacities() {
    return registry
        .scrape()
        .lines()
        .filter(line -> line.startsWith("nvcache_capacity_bytes{"))
        .toList();
  }

  @Test
  void shouldGoWithTheCache() {
    BlockCache cache = NvCacheMetrics.monitor(registry, open(MIB), "l2");
    assertThat(capacities()).containsExactly("nvcache_capacity_bytes{cache=\"l2\"} 1048576.0");

    cache.close();

    assertThat(registry.getMeters()).isEmpty();
    assertThat(registry.scrape()).doesNotContain("cache_");
    cache.control().shadows().setCandidates(List.of("live@1%"));
    assertThat(registry.getMeters()).as("of a listener that was left behind").isEmpty();
  }

  @Test
  void shouldShowTheValuesOfACacheThatIsOpenedAnewUnderTheName() {
    NvCacheMetrics.monitor(registry, open(MIB), "l2").close();
    BlockCache next = NvCacheMetrics.monitor(registry, open(2 * MIB), "l2");

    assertThat(capacities()).containsExactly("nvcache_capacity_bytes{cache=\"l2\"} 2097152.0");
    next.control().settings().setOverheadTarget(0.25);
    assertThat(registry.scrape())
        .contains("nvcache_overhead_target{cache=\"l2\"} 0.25")
        .contains("nvcache_in_service{cache=\"l2\"} 1.0");
  }

  @Test
  void shouldComeAndGoWithTheCandidates() {
    BlockCache cache = NvCacheMetrics.monitor(registry, open(MIB), "l2");
    assertThat(candidates()).containsExactlyInAnyOrder("live@20%", "paper");

    cache.control().shadows().setSampleRatio(0);
    cache.control().shadows().setCandidates(List.of("live@1%"));
    cache.control().shadows().setSampleRatio(0.5);
    assertThat(candidates()).containsExactly("live@1%");
  }

  private List<String> candidates() {
    return registry.find("nvcache.shadow.hit.ratio").meters().stream()
        .map(meter -> String.valueOf(meter.getId().getTag("candidate")))
        .toList();
  }

  @Test
  void shouldLeaveTheMetersOfAnotherCacheOfTheNameAlone() {
    BlockCache first = NvCacheMetrics.monitor(registry, open(MIB), "l2");
    BlockCache second = NvCacheMetrics.monitor(registry, open(2 * MIB), "l2");
    NvCacheMetrics.monitor(registry, open(4 * MIB), "l3");
    second.close();
    assertThat(capacities())
        .containsExactlyInAnyOrder(
            "nvcache_capacity_bytes{cache=\"l2\"} 1048576.0",
            "nvcache_capacity_bytes{cache=\"l3\"} 4194304.0");

    first.close();
    assertThat(capacities()).containsExactly("nvcache_capacity_bytes{cache=\"l3\"} 4194304.0");
  }

  @Test
  void shouldLeaveMetersAloneThatSomebodyPutInTheirPlace() {
    BlockCache first = NvCacheMetrics.monitor(registry, open(MIB), "l2");
    registry.clear();
    NvCacheMetrics.monitor(registry, open(2 * MIB), "l2");

    first.close();

    assertThat(capacities()).containsExactly("nvcache_capacity_bytes{cache=\"l2\"} 2097152.0");
  }

  @Test
  void shouldEndAndBeginByHand() {
    BlockCache cache = open(MIB);
    SimpleMeterRegistry another = new SimpleMeterRegistry();
    NvCacheMetrics metrics = new NvCacheMetrics(cache, "l2", Tags.of("zone", "a"));
    metrics.bindTo(registry);
    metrics.bindTo(registry);
    metrics.bindTo(another);
    int meters = registry.getMeters().size();
    assertThat(another.getMeters()).hasSize(meters);

    metrics.close();
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
    assertThat(another.getMeters()).isEmpty();

    metrics.bindTo(registry);
    assertThat(registry.getMeters()).hasSize(meters);
    cache.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void shouldNotShowACacheThatIsClosed() {
    BlockCache cache = open(MIB);
    cache.close();
    NvCacheMetrics.monitor(registry, cache, "l2");
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void shouldGoFromRegistriesThatRenameOrPassOnWhatTheyGet() {
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    SimpleMeterRegistry child = new SimpleMeterRegistry();
    child.config().commonTags("host", "a").meterFilter(new Renaming());
    composite.add(child);
    child.counter("of.the.host");
    BlockCache cache = NvCacheMetrics.monitor(composite, open(MIB), "l2");
    assertThat(child.find("renamed.nvcache.capacity.bytes").tag("host", "a").gauges()).hasSize(1);

    cache.close();

    assertThat(composite.getMeters()).isEmpty();
    assertThat(names(child)).containsExactly("renamed.of.the.host");
  }

  private static List<String> names(MeterRegistry registry) {
    return registry.getMeters().stream().map(meter -> meter.getId().getName()).toList();
  }

  private static final class Renaming implements MeterFilter {
    @Override
    public Meter.Id map(Meter.Id id) {
      return id.withName("renamed." + id.getName()).withTag(Tag.of("more", "b"));
    }
  }

  @Test
  void shouldTakeTimersAlong() {
    BlockCache cache = new TimedBlockCache(open(MIB), registry, "l2", 1);
    NvCacheMetrics.monitor(registry, cache, "l2");
    assertThat(registry.find("nvcache.lookup.time").timers()).hasSize(2);

    cache.close();

    assertThat(registry.getMeters()).isEmpty();
  }
}
