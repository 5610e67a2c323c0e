// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.nvcache.BlockCache;
import io.nvcache.stats.RecentStats;
import java.time.Duration;

/** All meters of one cache on one registry. */
final class CacheBinding implements AutoCloseable {
  private static final long SNAPSHOT_AGE_MILLIS = 100;

  private final MeterGroup meters;
  private final RecentStats recent;
  private final ShadowMeters shadows;

  CacheBinding(MeterRegistry registry, BlockCache cache, Tags tags) {
    this.meters = new MeterGroup(registry, cache, tags);
    this.recent =
        new RecentStats(
            registry.config().clock()::monotonicTime, Duration.ofMillis(SNAPSHOT_AGE_MILLIS));
    this.shadows = new ShadowMeters(registry, cache, tags);
  }

  void bind() {
    new TableMeters(meters, recent).bind();
    shadows.bind();
  }

  /** Binds what caches of any kind have, by the names that they have it. */
  void bindCommon() {
    new CommonMeters(meters, recent).bind();
  }

  /** Binds the sum of evictions by the name that caches of any kind have it. */
  void bindCommonEvictions() {
    new CommonMeters(meters, recent).bindEvictions();
  }

  void complete() {
    meters.complete();
  }

  @Override
  public void close() {
    shadows.close();
    meters.close();
  }
}
