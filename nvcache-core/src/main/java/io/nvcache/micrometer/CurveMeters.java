// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.Tags;
import io.nvcache.control.ShadowReport;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The meters of a cache's shadows that are always there. NaN while shadows are off. */
record CurveMeters(MeterGroup meters) {
  private static final List<Double> SIZES = List.of(0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0);

  void bind() {
    for (double size : SIZES) {
      Tags tag = Tags.of("size", size < 1 ? Double.toString(size) : Long.toString((long) size));
      gauge(
          "nvcache.curve.hit.ratio",
          "Hit ratio of the cache's own policies at a multiple of its size",
          tag,
          report -> at(size, report));
      gauge(
          "nvcache.curve.lru.hit.ratio",
          "Hit ratio of LRU that takes every block, at a multiple of the size",
          tag,
          report -> lruAt(size, report));
    }
    gauge(
        "nvcache.shadow.sample",
        "The part of the keys whose lookups feed the shadows; 0 when they are off",
        Tags.empty(),
        ShadowReport::sampleRatio);
    meters.count(
        "nvcache.shadow.dropped",
        "Events of sampled keys that the shadows missed",
        null,
        Tags.empty(),
        cache -> cache.control().shadows().report().droppedEvents());
  }

  private void gauge(
      String name, String description, Tags more, ToDoubleFunction<ShadowReport> value) {
    meters.gauge(
        name,
        description,
        null,
        more,
        cache -> value.applyAsDouble(cache.control().shadows().report()));
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
