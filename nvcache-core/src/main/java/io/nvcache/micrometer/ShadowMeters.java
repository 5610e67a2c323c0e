// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.nvcache.BlockCache;
import io.nvcache.control.SettingListener;
import io.nvcache.control.ShadowReport;
import java.lang.ref.WeakReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the candidates that a cache's shadows try. They come and go with the candidates: a
 * listener on the settings rebinds them. NaN while shadows are off.
 */
final class ShadowMeters implements AutoCloseable {
  private final MeterRegistry registry;
  private final WeakReference<BlockCache> cache;
  private final Tags tags;
  private final SettingListener onSetting = this::settingChanged;
  private @Nullable MeterGroup candidates;
  private boolean closed;

  ShadowMeters(MeterRegistry registry, BlockCache cache, Tags tags) {
    this.registry = registry;
    this.cache = new WeakReference<>(cache);
    this.tags = tags;
  }

  void bind() {
    BlockCache present = cache.get();
    if (present != null) {
      present.control().settings().addListener(onSetting);
      rebind();
    }
  }

  private void settingChanged(String setting, Object before, Object after) {
    if (setting.startsWith("shadow")) {
      rebind();
    }
  }

  private synchronized void rebind() {
    BlockCache present = cache.get();
    if (present == null || closed) {
      return;
    }
    removeCandidates();
    MeterGroup group = new MeterGroup(registry, present, tags);
    candidates = group;
    present.control().shadows().candidates().stream()
        .distinct()
        .forEach(
            name -> {
              gauge(
                  group,
                  "nvcache.shadow.hit.ratio",
                  "What a candidate would hit, per lookup",
                  name,
                  ShadowReport.Candidate::hitRatio);
              gauge(
                  group,
                  "nvcache.shadow.writes.per.lookup",
                  "What a candidate would write, in blocks per lookup",
                  name,
                  ShadowReport.Candidate::writesPerLookup);
            });
    group.complete();
  }

  private static void gauge(
      MeterGroup group,
      String meter,
      String description,
      String candidate,
      ToDoubleFunction<ShadowReport.Candidate> value) {
    group.gauge(
        meter,
        description,
        null,
        Tags.of("candidate", candidate),
        cache -> of(candidate, cache.control().shadows().report(), value));
  }

  private static double of(
      String name, ShadowReport report, ToDoubleFunction<ShadowReport.Candidate> value) {
    return report.candidates().stream()
        .filter(candidate -> candidate.name().equals(name))
        .mapToDouble(value)
        .findFirst()
        .orElse(Double.NaN);
  }

  private void removeCandidates() {
    if (candidates != null) {
      candidates.close();
      candidates = null;
    }
  }

  @Override
  public void close() {
    BlockCache present = cache.get();
    if (present != null) {
      present.control().settings().removeListener(onSetting);
    }
    synchronized (this) {
      closed = true;
      removeCandidates();
    }
  }
}
