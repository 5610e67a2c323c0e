// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import io.nvcache.control.ShadowReport;
import io.nvcache.control.Shadows;
import io.nvcache.control.TuningBounds;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** What the shadows of one cache say, their settings, and the tuning that rests on them. */
abstract class ShadowBean extends HealthBean {
  ShadowBean(BlockCache cache, MBeanServer server, ObjectName objectName) {
    super(cache, server, objectName);
  }

  private Shadows shadows() {
    return cache().control().shadows();
  }

  private ShadowReport report() {
    return shadows().report();
  }

  @Override
  public final double getShadowSamplePercent() {
    return LiveAttribute.percent(shadows().sampleRatio());
  }

  @Override
  public final void setShadowSamplePercent(double percent) {
    change("ShadowSamplePercent", percent, this::getShadowSamplePercent, () -> sample(percent));
  }

  /** An attribute has no second setter: -1 asks for a ratio of the cache's choice. */
  private void sample(double percent) {
    if (percent == -1) {
      shadows().chooseSampleRatio();
    } else if (percent < 0) {
      throw new IllegalArgumentException(
          percent + " % of the keys can't be sampled; give 0 to 50, or -1 to have it chosen");
    } else {
      shadows().setSampleRatio(percent / 100);
    }
  }

  @Override
  public final List<String> getShadowCandidates() {
    return shadows().candidates();
  }

  @Override
  public final void setShadowCandidates(List<String> specs) {
    change(
        "ShadowCandidates", specs, this::getShadowCandidates, () -> shadows().setCandidates(specs));
  }

  private Map<String, Double> byName(ToDoubleFunction<ShadowReport.Candidate> value) {
    Map<String, Double> byName = new LinkedHashMap<>();
    report()
        .candidates()
        .forEach(
            candidate ->
                byName.put(
                    candidate.name(), LiveAttribute.rounded(value.applyAsDouble(candidate))));
    return byName;
  }

  @Override
  public final Map<String, Double> getShadowHitRatioPercent() {
    return byName(candidate -> 100 * candidate.hitRatio());
  }

  @Override
  public final Map<String, Double> getShadowWritesPerLookup() {
    return byName(ShadowReport.Candidate::writesPerLookup);
  }

  @Override
  public final List<String> getShadowVerdicts() {
    return report().candidates().stream().map(ShadowReport.Candidate::verdict).toList();
  }

  @Override
  public final Map<String, Double> getSizeCurvePercent() {
    Map<String, Double> curve = new LinkedHashMap<>();
    report()
        .sizes()
        .forEach(
            size -> curve.put(factor(size.sizeFactor()), LiveAttribute.percent(size.hitRatio())));
    return curve;
  }

  @Override
  public final Map<String, Double> getLruCurvePercent() {
    Map<String, Double> curve = new LinkedHashMap<>();
    report()
        .lru()
        .forEach(
            point ->
                curve.put(factor(point.sizeFactor()), LiveAttribute.percent(point.hitRatio())));
    return curve;
  }

  /** Two is 2, an eighth is 0.125, and the points between have three digits. */
  private static String factor(double sizeFactor) {
    double rounded = Math.rint(sizeFactor * 1000) / 1000;
    return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
  }

  @Override
  public final long getShadowLookups() {
    return report().lookups();
  }

  @Override
  public final long getShadowSampledLookups() {
    return report().sampledLookups();
  }

  @Override
  public final long getShadowDroppedEvents() {
    return report().droppedEvents();
  }

  @Override
  public final String getTuning() {
    return cache().control().tuning().report().toString();
  }

  @Override
  public final void startTuning(double leastPercent, double mostPercent, long missMicros) {
    call(
        "startTuning(" + leastPercent + ", " + mostPercent + ", " + missMicros + ")",
        () -> cache().control().tuning().start(bounds(leastPercent, mostPercent, missMicros)));
  }

  private static TuningBounds bounds(double leastPercent, double mostPercent, long missMicros) {
    return new TuningBounds(
        leastPercent / 100, mostPercent / 100, Duration.of(missMicros, ChronoUnit.MICROS));
  }

  @Override
  public final void stopTuning() {
    call("stopTuning()", cache().control().tuning()::stop);
  }

  @Override
  public final void resetShadows() {
    call("resetShadows()", shadows()::reset);
  }
}
