// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.Tags;
import io.nvcache.control.CacheHealth;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of how a cache fares with its medium. */
record HealthMeters(MeterGroup meters) {
  void bind() {
    gauge(
        "nvcache.in.service",
        "1 while the cache asks its medium, 0 while it is out of service",
        health -> health.inService() ? 1 : 0);
    count("nvcache.outages", "Times out of service", null, health -> health.outages());
    count(
        "nvcache.lookups.refused",
        "Lookups that missed because the cache was out of service",
        null,
        health -> health.refusedLookups());
    gauge("nvcache.stuck.calls", "Calls inside for too long", health -> health.stuckCalls());
    meters.gauge(
        "nvcache.maintenance.age",
        "Time since a round of the background work last ended",
        "seconds",
        Tags.empty(),
        cache -> cache.control().health().secondsSinceMaintenance());
    count(
        "nvcache.checksum.failures",
        "Reads whose bytes were not those written",
        null,
        health -> health.checksumFailures());
    count(
        "nvcache.quarantined.bytes",
        "Bytes of blocks taken out because of that",
        "bytes",
        health -> health.quarantinedBytes());
  }

  private void count(
      String name, String description, @Nullable String unit, ToDoubleFunction<CacheHealth> value) {
    meters.count(
        name,
        description,
        unit,
        Tags.empty(),
        cache -> value.applyAsDouble(cache.control().health()));
  }

  private void gauge(String name, String description, ToDoubleFunction<CacheHealth> value) {
    meters.gauge(
        name,
        description,
        null,
        Tags.empty(),
        cache -> value.applyAsDouble(cache.control().health()));
  }
}
