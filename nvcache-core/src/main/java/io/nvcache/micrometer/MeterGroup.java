// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.nvcache.BlockCache;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters of one cache that are registered one by one and removed together. Neither this nor they
 * hold the cache.
 *
 * <p>A registry answers the meter that has an id already instead of a new one. Such a meter is not
 * of this group, which says so in the log and never removes it: it shows another cache.
 */
final class MeterGroup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NvCacheMetrics.class);

  private final MeterRegistry registry;
  private final WeakReference<BlockCache> cache;
  private final Tags tags;
  private final Set<Meter> others;
  private final List<Meter> own = new ArrayList<>();
  private boolean warned;

  MeterGroup(MeterRegistry registry, BlockCache cache, Tags tags) {
    this.registry = registry;
    this.cache = new WeakReference<>(cache);
    this.tags = tags;
    this.others = present();
  }

  /** By identity: meters of one id are equal. */
  private Set<Meter> present() {
    Set<Meter> present = Collections.newSetFromMap(new IdentityHashMap<>());
    present.addAll(registry.getMeters());
    return present;
  }

  void count(
      String name,
      String description,
      @Nullable String unit,
      Tags more,
      ToDoubleFunction<BlockCache> value) {
    add(
        FunctionCounter.builder(name, cache.get(), value)
            .description(description)
            .baseUnit(unit)
            .tags(tags.and(more))
            .register(registry));
  }

  void gauge(
      String name,
      String description,
      @Nullable String unit,
      Tags more,
      ToDoubleFunction<BlockCache> value) {
    add(
        Gauge.builder(name, cache.get(), value)
            .description(description)
            .baseUnit(unit)
            .tags(tags.and(more))
            .register(registry));
  }

  /** Takes in a meter that was just registered. */
  void add(Meter meter) {
    if (!others.contains(meter)) {
      own.add(meter);
    } else if (!warned) {
      warned = true;
      LOG.warn(
          "{} is there already; if it shows another cache, close that one first or take another name",
          meter.getId());
    }
  }

  /** No more come: what was there before need not be known any longer. */
  void complete() {
    others.clear();
  }

  /** Removes them from the registry, all but those that were replaced since. */
  @Override
  public void close() {
    Collection<Meter> present = present();
    own.stream().filter(present::contains).forEach(registry::remove);
    own.clear();
  }
}
