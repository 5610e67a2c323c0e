// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.calibrate.Bench.Throughput;
import io.nvcache.calibrate.MediumResult.Latency;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures all points of all media in rounds, so that what else the machine does falls on all of
 * them alike. The first round warms up.
 */
public final class CalibrationRun {
  /** What a medium is compared with. */
  private static final String DRAM = "dram";

  private static final int LEAST_ROUNDS = 2;
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final long LONGEST_READ_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Settings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final List<Point> points;
  private final List<Integer> latencyWriters = new ArrayList<>();

  /** Prepares. */
  public CalibrationRun(Settings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
    this.points = Point.upTo(settings.maxReaders(), settings.maxWriters());
    latencyWriters.add(0);
    latencyWriters.addAll(Point.doublings(settings.maxWriters()));
  }

  /** What was seen of one medium so far, in the order of the points and of the latencies. */
  private final class Observed {
    final Bench bench;
    final List<List<Throughput>> rounds = new ArrayList<>();
    final List<Histogram> latencies = new ArrayList<>();

    Observed(Bench bench) {
      this.bench = bench;
      points.forEach(unused -> rounds.add(new ArrayList<>()));
      latencyWriters.forEach(
          unused -> latencies.add(new Histogram(LONGEST_READ_NANOS, SIGNIFICANT_DIGITS)));
    }
  }

  /**
   * Measures a medium, and native memory next to it unless the medium is a drive: what threads that
   * wait for a drive take from each other is nothing that memory could show.
   *
   * @param label of the medium in records and tables
   * @param medium of the size that the settings name; is left open
   * @return nothing if it was stopped before two rounds were done
   */
  public Optional<CalibrationResult> run(String label, Medium medium)
      throws IOException, InterruptedException {
    if (MediumBench.isDrive(medium)) {
      return run(List.of(new MediumBench(label, medium, settings.blockBytes())));
    }
    try (Medium dram = NativeMedium.allocate(settings.mediumBytes())) {
      return run(
          List.of(
              new MediumBench(label, medium, settings.blockBytes()),
              new MediumBench(DRAM, dram, settings.blockBytes())));
    }
  }

  /**
   * Measures.
   *
   * @param benches the medium to calibrate first
   * @return nothing if it was stopped before two rounds were done
   */
  Optional<CalibrationResult> run(List<Bench> benches) throws IOException, InterruptedException {
    List<Observed> all = benches.stream().map(Observed::new).toList();
    fill(benches);
    int done = 0;
    long steps = (long) benches.size() * (points.size() + latencyWriters.size());
    long sliceNanos = settings.duration().toNanos() / (steps * (settings.rounds() + 1));
    try (Progress.Phase phase = progress.begin("measure", steps * (settings.rounds() + 1))) {
      for (int round = 0; round <= settings.rounds() && !stop.isRequested(); round++) {
        if (measureRound(all, round, sliceNanos, phase)) {
          done = round;
        }
      }
    }
    return done < LEAST_ROUNDS ? Optional.empty() : Optional.of(evaluate(all, done));
  }

  private void fill(List<Bench> benches) throws IOException {
    try (Progress.Phase phase = progress.begin("fill", benches.size())) {
      for (int i = 0; i < benches.size() && !stop.isRequested(); i++) {
        benches.get(i).fill();
        phase.at(i + 1L, benches.get(i).label());
      }
    }
  }

  /** False if it was stopped inside the round, of which nothing then counts. */
  private boolean measureRound(List<Observed> all, int round, long sliceNanos, Progress.Phase phase)
      throws IOException, InterruptedException {
    long step = (long) round * all.size() * (points.size() + latencyWriters.size());
    for (int i = 0; i < points.size(); i++) {
      for (Observed observed : all) {
        if (stop.isRequested()) {
          return false;
        }
        Throughput seen = observed.bench.measure(points.get(i), sliceNanos);
        if (round > 0) {
          observed.rounds.get(i).add(seen);
        }
        phase.at(++step, observed.bench.label() + ", " + words(points.get(i)));
      }
    }
    for (int i = 0; i < latencyWriters.size(); i++) {
      for (Observed observed : all) {
        if (stop.isRequested()) {
          return false;
        }
        Histogram durations =
            round > 0
                ? observed.latencies.get(i)
                : new Histogram(LONGEST_READ_NANOS, SIGNIFICANT_DIGITS);
        observed.bench.measureLatency(latencyWriters.get(i), sliceNanos, durations);
        phase.at(++step, observed.bench.label() + ", latency");
      }
    }
    return true;
  }

  private static String words(Point point) {
    return point.readers() + " readers, " + point.writers() + " writers";
  }

  private CalibrationResult evaluate(List<Observed> all, int rounds) {
    List<MediumResult> media = all.stream().map(one -> evaluate(one, rounds)).toList();
    Recommendation recommendation =
        Recommendation.of(media.get(0).points(), settings.maxReadLoss());
    return new CalibrationResult(settings, rounds, media, recommendation);
  }

  private MediumResult evaluate(Observed observed, int rounds) {
    List<PointResult> results = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      // A round that was stopped inside may have left one more.
      results.add(PointResult.of(points.get(i), observed.rounds.get(i).subList(0, rounds)));
    }
    List<Latency> latencies = new ArrayList<>();
    for (int i = 0; i < latencyWriters.size(); i++) {
      latencies.add(Latency.of(latencyWriters.get(i), observed.latencies.get(i)));
    }
    return new MediumResult(observed.bench.label(), observed.bench.describe(), results, latencies);
  }

  /**
   * How a calibration is run.
   *
   * @param maxReaders ≥ 1
   * @param maxWriters ≥ 1
   * @param blockBytes of one read or write
   * @param mediumBytes of each medium
   * @param duration of all measurements together
   * @param rounds that count, ≥ 2; one more warms up
   * @param maxReadLoss see {@link Recommendation#of}
   */
  public record Settings(
      int maxReaders,
      int maxWriters,
      int blockBytes,
      long mediumBytes,
      Duration duration,
      int rounds,
      double maxReadLoss) {
    /** Whether threads contend for processors, which looks as if they contended for the medium. */
    public boolean isCrowded() {
      return maxReaders + maxWriters > Runtime.getRuntime().availableProcessors();
    }
  }
}
