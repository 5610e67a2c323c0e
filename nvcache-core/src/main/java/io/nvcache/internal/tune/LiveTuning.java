// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.tune;

import io.nvcache.control.Tuning;
import io.nvcache.control.TuningBounds;
import io.nvcache.control.TuningReport;
import io.nvcache.internal.background.MediumQuestion;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.settings.SettingChanges;
import io.nvcache.tuning.TargetTuner;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures for the tuner once a second, and does what it says.
 *
 * <p><b>Invariants.</b> Whatever changes here, changes within {@link SettingChanges#make}: so no
 * setting changes between the tuner's look at it and its answer. The medium, which may hang, is
 * read outside of it, by one thread at a time and where the assembly says; nothing here waits for
 * that thread. What is reported is immutable and read without a lock.
 */
public final class LiveTuning implements Tuning {
  private static final Logger LOG = LoggerFactory.getLogger(Tuning.class);

  private final EngineSettings settings;
  private final Function<TuningBounds, TuningRun> runs;
  private final CallGate gate;
  private final MediumQuestion measurement;
  private final MediumProbe probe;
  private final SettingChanges changes;
  private volatile @Nullable TuningRun run;
  private volatile TuningReport lastReport = TuningReport.OFF;

  /**
   * Makes a tuning that is off.
   *
   * @param measurer runs what reads the medium
   */
  public LiveTuning(
      EngineSettings settings,
      Function<TuningBounds, TuningRun> runs,
      MediumProbe probe,
      CallGate gate,
      Executor measurer) {
    this.settings = settings;
    this.runs = runs;
    this.gate = gate;
    this.measurement = new MediumQuestion(measurer);
    this.probe = probe;
    this.changes = settings.changes();
  }

  @Override
  public void start(TuningBounds bounds) {
    Objects.requireNonNull(bounds, "bounds");
    probe.requirePossible();
    changes.make(
        () -> {
          stopRunning();
          TuningRun fresh = runs.apply(bounds);
          lastReport = fresh.report();
          run = fresh;
          LOG.info("tuning of the overhead target started with {}", bounds);
        });
  }

  @Override
  public void stop() {
    changes.make(this::stopRunning);
  }

  private void stopRunning() {
    TuningRun running = run;
    if (running != null) {
      running.stop();
      leave(running);
    }
  }

  private void leave(TuningRun over) {
    run = null;
    lastReport = over.report();
    LOG.info("tuning of the overhead target ended: {}", lastReport);
    over.giveBackShadows();
  }

  @Override
  public TuningReport report() {
    TuningReport last = lastReport;
    return last.target().isEmpty() ? last : at(settings.overheadTarget(), last);
  }

  private static TuningReport at(double liveTarget, TuningReport last) {
    return new TuningReport(
        last.state(),
        OptionalDouble.of(liveTarget),
        last.readNanosPerKib(),
        last.slowdownPerMibs(),
        last.samples(),
        last.changes(),
        last.reason());
  }

  /** Has the next second measured, if one has passed and none is being measured. */
  public void tick() {
    TuningRun running = run;
    if (running != null && running.isDue() && !gate.isClosed()) {
      measurement.ask(() -> measure(running));
    }
  }

  private void measure(TuningRun running) {
    TargetTuner.Second second = running.measure(probe);
    changes.make(() -> takeIn(running, second));
  }

  /** Unless tuning was ended or started again since, or the cache closed. */
  private void takeIn(TuningRun measured, TargetTuner.Second second) {
    if (run != measured || gate.isClosed()) {
      return;
    }
    measured.decide(second);
    if (measured.isOver()) {
      leave(measured);
    } else {
      lastReport = measured.report();
    }
  }
}
