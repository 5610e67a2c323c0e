// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.ShadowReport;
import io.nvcache.Shadows;
import io.nvcache.Tuning;
import io.nvcache.TuningBounds;
import io.nvcache.TuningReport;
import io.nvcache.stats.Counter;
import io.nvcache.tuning.TargetTuner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures for the tuner once a second, and does what it says. */
final class LiveTuning implements Tuning {
  private static final Logger LOG = LoggerFactory.getLogger(Tuning.class);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(990);

  private final EngineParts parts;
  private final Shadows shadows;
  private final MediumProbe probe;
  private final int expectedBlockBytes;
  private @Nullable TargetTuner tuner;
  private TuningReport ended = TuningReport.OFF;
  private ShadowReport before = ShadowReport.OFF;
  private long lastNanos;
  private long lastLookups;
  private long lastWrittenBytes;

  LiveTuning(EngineParts parts, Shadows shadows, CallGate gate, int expectedBlockBytes) {
    this.parts = parts;
    this.shadows = shadows;
    this.expectedBlockBytes = expectedBlockBytes;
    this.probe = new MediumProbe(parts, gate);
  }

  @Override
  public synchronized void start(TuningBounds bounds) {
    TargetTuner fresh = new TargetTuner(bounds, parts.thresholds().overheadTarget());
    shadows.candidates(fresh.targets().stream().map(LiveTuning::candidate).toList());
    if (shadows.sampleRatio() == 0) {
      shadows.sampleRatio(Shadows.AUTO);
    }
    tuner = fresh;
    before = ShadowReport.OFF;
    remember();
    LOG.info("tuning of the overhead target started with {}", bounds);
  }

  private static String candidate(double target) {
    return String.format(Locale.ROOT, "live@%.3f%%", 100 * target);
  }

  private void remember() {
    lastNanos = parts.nanoTime().getAsLong();
    lastLookups = parts.counters().sum(Counter.LOOKUPS);
    lastWrittenBytes = parts.counters().sum(Counter.MEDIUM_WRITTEN_BYTES);
  }

  @Override
  public synchronized void stop() {
    TargetTuner running = tuner;
    if (running != null) {
      TuningReport last = running.report();
      ended = withState(last, TuningReport.State.OFF, "stopped");
      tuner = null;
      LOG.info("tuning of the overhead target stopped: {}", last);
    }
  }

  private static TuningReport withState(
      TuningReport report, TuningReport.State state, String reason) {
    return new TuningReport(
        state,
        report.target(),
        report.readNanosPerKib(),
        report.slowdownPerMibs(),
        report.samples(),
        report.changes(),
        reason);
  }

  @Override
  public synchronized TuningReport report() {
    return tuner == null ? ended : tuner.report();
  }

  /** Takes the next second in, if one has passed. */
  synchronized void tick() {
    TargetTuner running = tuner;
    long passed = parts.nanoTime().getAsLong() - lastNanos;
    if (running == null || passed < PERIOD_NANOS) {
      return;
    }
    double seconds = passed * 1e-9;
    long lookups = parts.counters().sum(Counter.LOOKUPS) - lastLookups;
    long written = parts.counters().sum(Counter.MEDIUM_WRITTEN_BYTES) - lastWrittenBytes;
    TargetTuner.Second second =
        new TargetTuner.Second(
            probe.nanosPerByte(), written / seconds, lookups / seconds, expectedBlockBytes);
    remember();
    running
        .second(second, prospects(running))
        .ifPresent(
            target -> {
              parts.thresholds().overheadTarget(target);
              LOG.info("overhead target set to {}: {}", target, running.report());
            });
    if (running.report().state() == TuningReport.State.NO_INTERFERENCE) {
      ended = running.report();
      tuner = null;
    }
  }

  /** What the shadows saw since they were last asked. */
  private List<TargetTuner.Prospect> prospects(TargetTuner running) {
    ShadowReport now = shadows.report();
    boolean comparable =
        before.candidates().size() == now.candidates().size() && now.lookups() > before.lookups();
    List<TargetTuner.Prospect> prospects = new ArrayList<>();
    List<Double> targets = running.targets();
    for (int i = 0; comparable && i < Math.min(targets.size(), now.candidates().size()); i++) {
      ShadowReport.Candidate candidate = now.candidates().get(i);
      ShadowReport.Candidate earlier = before.candidates().get(i);
      prospects.add(
          new TargetTuner.Prospect(
              targets.get(i),
              since(candidate.hitRatio(), now, earlier.hitRatio()),
              since(candidate.writesPerLookup(), now, earlier.writesPerLookup())));
    }
    if (now.lookups() < before.lookups() || now.lookups() > 2 * before.lookups()) {
      before = now; // So that what is compared is the later half of all there was.
    }
    return prospects;
  }

  private double since(double ratio, ShadowReport now, double earlierRatio) {
    double hits = ratio * now.lookups() - earlierRatio * before.lookups();
    return Math.max(0, hits / (now.lookups() - before.lookups()));
  }
}
