// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.ModelRun;
import io.nvcache.model.RunResult;
import io.nvcache.model.Scenario;
import io.nvcache.model.figures.FigureResult.Run;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Runs what the figures asked for need, each scenario once, several at a time, and makes the
 * figures of it.
 */
public final class Reproduction {
  private static final double NANOS = 1e9;

  /** Instead of a result while it is only found out which runs are needed. */
  private static final RunResult UNKNOWN =
      new RunResult(
          1,
          1,
          1,
          1,
          1,
          1,
          1,
          1,
          1,
          1,
          1,
          1,
          1,
          1,
          new RunResult.Load(1, 1),
          new RunResult.Load(1, 1),
          new RunResult.Load(1, 1));

  private final Settings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final Map<Scenario, Timed> results = new ConcurrentHashMap<>();

  private record Timed(RunResult result, double seconds) {}

  public Reproduction(Settings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** The names of all figures. */
  public static List<String> figureIds() {
    return FigureCatalog.ALL.stream().map(Figure::id).toList();
  }

  /** Whether no figure that is asked for has a row of the extent that is asked for. */
  public boolean isEmpty() {
    return settings.scales().stream()
        .allMatch(
            scale -> settings.seeds().stream().allMatch(seed -> figures(scale, seed).isEmpty()));
  }

  /** Runs; figures that were not finished when the stop was signalled are left out. */
  public List<FigureResult> run() throws InterruptedException {
    runScenarios();
    List<FigureResult> figures = new ArrayList<>();
    for (int scale : settings.scales()) {
      for (long seed : settings.seeds()) {
        for (Figure figure : figures(scale, seed)) {
          Set<Scenario> needed = needed(figure, scale, seed);
          if (results.keySet().containsAll(needed)) {
            figures.add(result(figure, scale, seed, needed));
          }
        }
      }
    }
    return figures;
  }

  /**
   * What only shows figures is run at the first scale and seed, and at others the rows with bars.
   */
  private List<Figure> figures(int scale, long seed) {
    boolean first = scale == settings.scales().get(0) && seed == settings.seeds().get(0);
    return FigureCatalog.ALL.stream()
        .filter(figure -> settings.figures().contains(figure.id()))
        .filter(figure -> hasRows(figure, row -> first || row.isGated()))
        .toList();
  }

  private boolean hasRows(Figure figure, Predicate<Row> wanted) {
    return rows(figure, new Runs(1, 0, scenario -> UNKNOWN)).stream().anyMatch(wanted);
  }

  private List<Row> rows(Figure figure, Runs runs) {
    return settings.extent() == Settings.Extent.SMOKE ? figure.smokeRows(runs) : figure.rows(runs);
  }

  private Set<Scenario> needed(Figure figure, int scale, long seed) {
    Set<Scenario> needed = new LinkedHashSet<>();
    Runs planning =
        new Runs(
            scale,
            seed,
            scenario -> {
              needed.add(scenario);
              return UNKNOWN;
            });
    rows(figure, planning);
    return needed;
  }

  private FigureResult result(Figure figure, int scale, long seed, Set<Scenario> needed) {
    Runs done = new Runs(scale, seed, scenario -> done(scenario).result());
    double seconds = needed.stream().mapToDouble(scenario -> done(scenario).seconds()).sum();
    return new FigureResult(
        figure.id(),
        figure.title(),
        figure.note(),
        scale,
        seed,
        seconds,
        rows(figure, done),
        needed.stream().map(each -> new Run(each, done(each).result())).toList());
  }

  private Timed done(Scenario scenario) {
    Timed result = results.get(scenario);
    if (result == null) {
      throw new IllegalStateException("a figure asked for a run it had not announced: " + scenario);
    }
    return result;
  }

  private void runScenarios() throws InterruptedException {
    Set<Scenario> all = new LinkedHashSet<>();
    for (int scale : settings.scales()) {
      for (long seed : settings.seeds()) {
        figures(scale, seed).forEach(figure -> all.addAll(needed(figure, scale, seed)));
      }
    }
    ExecutorService executor = Executors.newFixedThreadPool(settings.threads());
    AtomicInteger finished = new AtomicInteger();
    try (Progress.Phase phase = progress.begin("modelled runs", all.size())) {
      List<Future<?>> pending = new ArrayList<>();
      for (Scenario scenario : all) {
        pending.add(
            executor.submit(
                () -> {
                  if (!stop.isRequested()) {
                    run(scenario);
                    phase.at(finished.incrementAndGet(), scenario.name());
                  }
                }));
      }
      for (Future<?> run : pending) {
        await(run);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void run(Scenario scenario) {
    long start = System.nanoTime();
    RunResult result = ModelRun.run(scenario);
    results.put(scenario, new Timed(result, (System.nanoTime() - start) / NANOS));
  }

  private static void await(Future<?> run) throws InterruptedException {
    try {
      run.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a modelled run failed: " + e.getCause(), e.getCause());
    }
  }

  /**
   * What is to be reproduced.
   *
   * @param figures by their names
   * @param extent how much of each
   * @param scales that sizes and durations are divided by
   * @param seeds of all that is random
   * @param threads runs at a time
   */
  public record Settings(
      List<String> figures, Extent extent, List<Integer> scales, List<Long> seeds, int threads) {
    /** How much of a figure is wanted. */
    public enum Extent {
      /** The few rows that tell in seconds whether all is well. */
      SMOKE,
      /** All rows. */
      FULL
    }
  }
}
