// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CaffeineCacheMetrics;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NvCacheMetricsTest {
  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  private static BlockCache cache() {
    return new ReferenceBlockCache(
        1000,
        0,
        candidate ->
            candidate.source() == Source.SCAN
                ? AdmissionDecision.BYPASS_OVERHEAD
                : AdmissionDecision.ADMIT);
  }

  private static void use(BlockCache cache) {
    cache.offer(1, 0, ByteBuffer.allocate(100), Source.READ);
    cache.offer(1, 100, ByteBuffer.allocate(150), Source.FLUSH);
    cache.offer(1, 300, ByteBuffer.allocate(50), Source.SCAN);
    cache.get(1, 0, ByteBuffer.allocate(100));
    cache.get(1, 7, ByteBuffer.allocate(100));
    cache.get(1, 8, ByteBuffer.allocate(100));
    cache.invalidate(1, 100);
    cache.control().dataSet().register(1, 5000);
  }

  private double counter(String name, String... tags) {
    return registry.get(name).tag("cache", "l2").tags(tags).functionCounter().count();
  }

  private double gauge(String name) {
    return registry.get(name).tag("cache", "l2").gauge().value();
  }

  @Test
  void shouldBindTheMetersOfEveryCacheAndItsOwn() {
    try (BlockCache cache = NvCacheMetrics.monitor(registry, cache(), "l2")) {
      use(cache);

      assertThat(gauge("nvcache.blocks")).isEqualTo(1);
      assertThat(counter("nvcache.lookups", "result", "hit")).isEqualTo(1);
      assertThat(counter("nvcache.lookups", "result", "miss")).isEqualTo(2);
      assertThat(counter("nvcache.admissions")).isEqualTo(2);
      assertThat(counter("nvcache.bypasses", "reason", "bypassed_overhead")).isEqualTo(1);
      assertThat(counter("nvcache.bypasses", "reason", "no_space")).isZero();
      assertThat(counter("nvcache.offers", "source", "flush")).isEqualTo(1);
      assertThat(counter("nvcache.offers", "source", "prefetch")).isZero();
      assertThat(counter("nvcache.medium.read.bytes")).isEqualTo(100);
      assertThat(counter("nvcache.medium.written.bytes")).isEqualTo(250);
      assertThat(counter("nvcache.medium.failures")).isZero();
      assertThat(counter("nvcache.evictions", "cause", "policy")).isZero();
      assertThat(counter("nvcache.invalidations")).isEqualTo(1);
      assertThat(gauge("nvcache.overhead")).isNaN();
      assertThat(gauge("nvcache.used.bytes")).isEqualTo(100);
      assertThat(gauge("nvcache.capacity.bytes")).isEqualTo(1000);
      assertThat(gauge("nvcache.block.bytes")).isEqualTo(100);
      assertThat(gauge("nvcache.pinned.bytes")).isZero();
      assertThat(gauge("nvcache.metadata.bytes")).isZero();
      assertThat(gauge("nvcache.dataset.bytes")).isEqualTo(5000);
    }
  }

  @Test
  void shouldCountEachRefusalByItsReasonAndNothingElse() {
    try (BlockCache cache = NvCacheMetrics.monitor(registry, cache(), "l2")) {
      Set<String> reasons =
          registry.get("nvcache.bypasses").functionCounters().stream()
              .map(meter -> meter.getId().getTag("reason"))
              .collect(Collectors.toSet());
      assertThat(reasons)
          .hasSize(OfferResult.values().length - 2)
          .doesNotContain("admitted", "already_cached");
    }
  }

  @Test
  void shouldSayNaNForADataSetThatIsUnknown() {
    try (BlockCache cache = NvCacheMetrics.monitor(registry, cache(), "l2")) {
      assertThat(gauge("nvcache.dataset.bytes")).isNaN();
    }
  }

  @Test
  void shouldTakeOneSnapshotForAWholeScrape() {
    try (CountingCache cache = new CountingCache(cache())) {
      new NvCacheMetrics(cache, "l2", Tags.of("zone", "a")).bindTo(registry);
      cache.snapshots = 0; // binding looks once whether the cache has a size
      scrape();
      scrape();
      assertThat(cache.snapshots).isEqualTo(1);

      clock.add(Duration.ofMillis(100));
      scrape();
      assertThat(cache.snapshots).isEqualTo(2);
    }
  }

  private void scrape() {
    assertThat(registry.getMeters()).hasSizeGreaterThan(25);
    registry.getMeters().forEach(meter -> meter.measure().forEach(m -> m.getValue()));
  }

  @Test
  void shouldUseOneSetOfTagKeysPerNameBesideCaffeinesMeters() {
    Cache<String, String> caffeine = Caffeine.newBuilder().recordStats().build();
    CaffeineCacheMetrics.monitor(registry, caffeine, "l1");
    try (BlockCache one = cache();
        BlockCache two = NvCacheMetrics.monitor(registry, cache(), "l3")) {
      new NvCacheMetrics(one, "l2", Tags.empty()).withCacheMeters().bindTo(registry);
      Map<String, Set<String>> keysByName = new HashMap<>();
      for (Meter meter : registry.getMeters()) {
        Set<String> keys =
            meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet());
        Set<String> known = keysByName.putIfAbsent(meter.getId().getName(), keys);
        assertThat(known == null ? keys : known).as(meter.getId().toString()).isEqualTo(keys);
      }
      assertThat(keysByName)
          .containsEntry("cache.evictions", Set.of("cache"))
          .containsEntry("nvcache.evictions", Set.of("cache", "cause"));
    }
  }

  @Test
  void shouldNotKeepADroppedCacheAlive() {
    WeakReference<BlockCache> dropped = new WeakReference<>(bindAndUse());
    while (dropped.get() != null) {
      System.gc();
    }
    assertThat(gauge("nvcache.used.bytes")).isNaN();
    assertThat(counter("nvcache.admissions")).isEqualTo(2); // the last count it had
  }

  private BlockCache bindAndUse() {
    BlockCache cache = NvCacheMetrics.monitor(registry, cache(), "l2");
    use(cache);
    assertThat(counter("nvcache.admissions")).isEqualTo(2);
    return cache;
  }

  @Test
  void shouldBeTheOnlyCodeThatNeedsMicrometer() {
    JavaClasses product =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.nvcache");
    ArchRuleDefinition.noClasses()
        .that()
        .resideOutsideOfPackage("io.nvcache.micrometer")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.micrometer..", "io.nvcache.micrometer")
        .check(product);
  }
}
