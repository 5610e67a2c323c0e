// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.Tags;
import io.nvcache.BlockCache;
import io.nvcache.control.Condition;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The meters of a cache's live settings and of the conditions that it is in. */
record StateMeters(MeterGroup meters) {
  void bind() {
    bindSettings();
    bindConditions();
  }

  private void bindSettings() {
    meters.gauge(
        "nvcache.overhead.target",
        "Medium writes per lookup above which nothing is admitted, as a ratio",
        null,
        Tags.empty(),
        cache -> cache.control().settings().overheadTarget());
    gaugeBytesOf(
        "nvcache.write.limit.second",
        "What may be written to the medium in a second; 0 is no limit",
        cache -> cache.control().settings().writeLimitBytesPerSecond());
    gaugeBytesOf(
        "nvcache.write.limit.day",
        "What may be written to the medium in a day; 0 is no limit",
        cache -> cache.control().settings().writeLimitBytesPerDay());
  }

  private void bindConditions() {
    for (Condition condition : Condition.values()) {
      meters.gauge(
          "nvcache.condition",
          "1 while the cache is in this condition, else 0",
          null,
          Tags.of("condition", condition.name().toLowerCase(Locale.ROOT)),
          cache -> cache.control().conditions().containsKey(condition) ? 1 : 0);
    }
  }

  private void gaugeBytesOf(String name, String description, ToDoubleFunction<BlockCache> value) {
    meters.gauge(name, description, "bytes", Tags.empty(), value);
  }
}
