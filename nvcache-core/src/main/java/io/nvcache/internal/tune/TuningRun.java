// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.tune;

import io.nvcache.control.Shadows;
import io.nvcache.control.Tuning;
import io.nvcache.control.TuningBounds;
import io.nvcache.control.TuningReport;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.settings.SettingChanges;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import io.nvcache.tuning.TargetTuner;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tuning, from its start to its end. Measures by one thread at a time; the rest within {@link
 * SettingChanges#make}.
 */
public final class TuningRun {
  private static final Logger LOG = LoggerFactory.getLogger(Tuning.class);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(990);

  private final EngineSettings settings;
  private final StripedCounters counters;
  private final int expectedBlockBytes;
  private final LongSupplier nanoTime;
  private final TargetTuner tuner;
  private final BorrowedShadows shadows;
  private volatile long lastNanos;
  private long lastLookups;
  private long lastWrittenBytes;

  /**
   * Starts.
   *
   * @throws IllegalArgumentException if the shadows can't be started; nothing changes
   */
  public TuningRun(
      EngineSettings settings,
      StripedCounters counters,
      int expectedBlockBytes,
      LongSupplier nanoTime,
      Shadows shadows,
      TuningBounds bounds) {
    this.settings = settings;
    this.counters = counters;
    this.expectedBlockBytes = expectedBlockBytes;
    this.nanoTime = nanoTime;
    this.tuner = new TargetTuner(bounds, settings.overheadTarget());
    this.shadows = new BorrowedShadows(shadows, tuner.targets());
    remember();
  }

  private void remember() {
    lastLookups = counters.sum(Counter.LOOKUPS);
    lastWrittenBytes = counters.sum(Counter.MEDIUM_WRITTEN_BYTES);
    lastNanos = nanoTime.getAsLong();
  }

  /** Returns whether a second has passed since the last measurement. */
  boolean isDue() {
    return passedNanos() >= PERIOD_NANOS;
  }

  private long passedNanos() {
    return nanoTime.getAsLong() - lastNanos;
  }

  /** Measures the second that has passed. Takes as long as the medium takes. */
  TargetTuner.Second measure(MediumProbe probe) {
    double seconds = passedNanos() * 1e-9;
    long lookups = counters.sum(Counter.LOOKUPS) - lastLookups;
    long written = counters.sum(Counter.MEDIUM_WRITTEN_BYTES) - lastWrittenBytes;
    double nanosPerByte = probe.nanosPerByte();
    remember();
    return new TargetTuner.Second(
        nanosPerByte, written / seconds, lookups / seconds, expectedBlockBytes);
  }

  /** Does what the tuner says to a second, unless another caller has taken the shadows. */
  void decide(TargetTuner.Second second) {
    TuningReport.State before = report().state();
    shadows
        .foreignChange()
        .ifPresentOrElse(
            tuner::end,
            () ->
                tuner
                    .second(second, settings.overheadTarget(), shadows.prospects())
                    .ifPresent(this::moveTo));
    TuningReport now = report();
    if (now.state() != before && !isOver()) {
      LOG.info("the tuning of the overhead target is past {}: {}", before, now);
    }
  }

  private void moveTo(double target) {
    settings.setOverheadTarget(target);
    TuningReport report = report();
    if (report.state() == TuningReport.State.EXPLORING) {
      LOG.debug("overhead target set to {}: {}", target, report);
    } else {
      LOG.info("overhead target set to {}: {}", target, report);
    }
  }

  boolean isOver() {
    return tuner.isOver();
  }

  void stop() {
    tuner.end("stopped");
  }

  /** Gives the shadows back, once the run is over. */
  void giveBackShadows() {
    shadows.giveBack();
  }

  TuningReport report() {
    return tuner.report();
  }
}
