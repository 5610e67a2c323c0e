// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.nvcache.BlockCache;
import io.nvcache.CacheHealth;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of how a cache fares with its medium. They hold the cache weakly. */
record HealthMeters(MeterRegistry registry, BlockCache cache, Tags tags) {
  static void bind(MeterRegistry registry, BlockCache cache, Tags tags) {
    HealthMeters meters = new HealthMeters(registry, cache, tags);
    meters.gauge(
        "nvcache.in.service",
        "1 while the cache asks its medium, 0 while it is out of service",
        health -> health.inService() ? 1 : 0);
    meters.count("nvcache.outages", "Times out of service", null, health -> health.outages());
    meters.count(
        "nvcache.lookups.refused",
        "Lookups that missed because the cache was out of service",
        null,
        health -> health.refusedLookups());
    meters.gauge("nvcache.stuck.calls", "Calls inside for too long", health -> health.stuckCalls());
    meters.count(
        "nvcache.checksum.failures",
        "Reads whose bytes were not those written",
        null,
        health -> health.checksumFailures());
    meters.count(
        "nvcache.quarantined.bytes",
        "Bytes of blocks taken out because of that",
        "bytes",
        health -> health.quarantinedBytes());
  }

  private void count(
      String name, String description, @Nullable String unit, ToDoubleFunction<CacheHealth> value) {
    FunctionCounter.builder(name, cache, live -> value.applyAsDouble(live.health()))
        .description(description)
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  private void gauge(String name, String description, ToDoubleFunction<CacheHealth> value) {
    Gauge.builder(name, cache, live -> value.applyAsDouble(live.health()))
        .description(description)
        .tags(tags)
        .register(registry);
  }
}
