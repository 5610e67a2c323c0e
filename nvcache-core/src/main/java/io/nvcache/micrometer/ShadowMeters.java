// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.nvcache.BlockCache;
import io.nvcache.SettingListener;
import io.nvcache.ShadowReport;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The meters of a cache's shadows. Those of candidates come and go with the candidates: a listener
 * on the settings rebinds them. NaN while shadows are off.
 */
final class ShadowMeters {
  private static final List<Double> SIZES = List.of(0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0);

  private final MeterRegistry registry;
  private final WeakReference<BlockCache> cache;
  private final Tags tags;
  private final MultiGauge hitRatios;
  private final MultiGauge writes;

  ShadowMeters(MeterRegistry registry, BlockCache cache, Tags tags) {
    this.registry = registry;
    this.cache = new WeakReference<>(cache);
    this.tags = tags;
    this.hitRatios =
        MultiGauge.builder("nvcache.shadow.hit.ratio")
            .description("What a candidate would hit, per lookup")
            .tags(tags)
            .register(registry);
    this.writes =
        MultiGauge.builder("nvcache.shadow.writes.per.lookup")
            .description("What a candidate would write, in blocks per lookup")
            .tags(tags)
            .register(registry);
  }

  void bind() {
    BlockCache present = cache.get();
    if (present == null) {
      return;
    }
    for (double size : SIZES) {
      String tag = size < 1 ? Double.toString(size) : Long.toString((long) size);
      gauge(
          present,
          "nvcache.curve.hit.ratio",
          "Hit ratio of the cache's own policies at a multiple of its size",
          tags.and("size", tag),
          report -> at(size, report));
      gauge(
          present,
          "nvcache.curve.lru.hit.ratio",
          "Hit ratio of LRU that takes every block, at a multiple of the size",
          tags.and("size", tag),
          report -> lruAt(size, report));
    }
    gauge(
        present,
        "nvcache.shadow.sample",
        "The part of the keys whose lookups feed the shadows; 0 when they are off",
        tags,
        ShadowReport::sampleRatio);
    FunctionCounter.builder(
            "nvcache.shadow.dropped", present, live -> live.shadows().report().droppedEvents())
        .description("Events of sampled keys that the shadows missed")
        .tags(tags)
        .register(registry);
    bindCandidates();
    SettingListener rebinding =
        (setting, before, after) -> {
          if (setting.startsWith("shadow")) {
            bindCandidates();
          }
        };
    present.settings().addListener(rebinding);
  }

  private void gauge(
      BlockCache present,
      String name,
      String description,
      Tags all,
      ToDoubleFunction<ShadowReport> value) {
    Gauge.builder(name, present, live -> value.applyAsDouble(live.shadows().report()))
        .description(description)
        .tags(all)
        .register(registry);
  }

  private void bindCandidates() {
    BlockCache present = cache.get();
    if (present != null) {
      bind(hitRatios, present, ShadowReport.Candidate::hitRatio);
      bind(writes, present, ShadowReport.Candidate::writesPerLookup);
    }
  }

  private static void bind(
      MultiGauge gauge, BlockCache present, ToDoubleFunction<ShadowReport.Candidate> value) {
    gauge.register(
        present.shadows().candidates().stream()
            .map(
                name ->
                    MultiGauge.Row.of(
                        Tags.of("candidate", name),
                        present,
                        live -> of(name, live.shadows().report(), value)))
            .toList(),
        true);
  }

  private static double of(
      String name, ShadowReport report, ToDoubleFunction<ShadowReport.Candidate> value) {
    return report.candidates().stream()
        .filter(candidate -> candidate.name().equals(name))
        .mapToDouble(value)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double at(double size, ShadowReport report) {
    return report.sizes().stream()
        .filter(candidate -> candidate.sizeFactor() == size)
        .mapToDouble(ShadowReport.Candidate::hitRatio)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double lruAt(double size, ShadowReport report) {
    return report.lru().stream()
        .filter(point -> Math.abs(point.sizeFactor() / size - 1) < 1e-6)
        .mapToDouble(ShadowReport.Point::hitRatio)
        .findFirst()
        .orElse(Double.NaN);
  }
}
