// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.calibrate.MediumResult.Latency;
import io.nvcache.report.Measurements;

/** The records of the command {@code calibrate}; docs/evidence/benchmarks.md lists them. */
public final class CalibrationRecords {
  private static final String SPEED = "bytes/s";

  private CalibrationRecords() {}

  /** Returns what a calibration came to, by labels. */
  public static Measurements of(CalibrationResult result) {
    Measurements all = new Measurements();
    addTarget(result, all.with("medium", result.calibrated().label()));
    for (MediumResult medium : result.media()) {
      Measurements ofMedium = all.with("medium", medium.label());
      ofMedium
          .add("device_read_latency", medium.latencies().get(0).medianNanos(), "ns")
          .add("best_writers", medium.bestWriters(), "writers");
      addPoints(medium, result.settings().blockBytes(), ofMedium);
      for (Latency latency : medium.latencies()) {
        Measurements next = ofMedium.with("writers", latency.writers());
        next.with("percentile", "50").add("read_latency", latency.medianNanos(), "ns");
        next.with("percentile", "99").add("read_latency", latency.p99Nanos(), "ns");
      }
    }
    return all;
  }

  private static void addTarget(CalibrationResult result, Measurements to) {
    Recommendation recommendation = result.recommendation();
    to.add("overhead_target", recommendation.overheadTarget(), "ratio")
        .flag("overhead_bypass", !recommendation.isOff())
        .flag("trustworthy", result.doubts().isEmpty());
    if (Double.isFinite(recommendation.harm())) {
      to.add("harm", recommendation.harm(), "ratio")
          .add("write_harm", recommendation.policyHarm(), "ratio");
    }
    to.add("block_bytes", result.settings().blockBytes(), "bytes")
        .add("medium_bytes", result.settings().mediumBytes(), "bytes")
        .add("rounds", result.rounds(), "rounds")
        .add("processors", Runtime.getRuntime().availableProcessors(), "processors");
  }

  private static void addPoints(MediumResult medium, int blockBytes, Measurements ofMedium) {
    for (PointResult result : medium.points()) {
      Measurements to =
          ofMedium
              .with("readers", result.point().readers())
              .with("writers", result.point().writers());
      if (result.point().readers() > 0) {
        add("read_bandwidth", result.reads(), to);
        if (medium.hasReadTimes()) {
          to.add("block_reads", result.reads().mean() / blockBytes, "reads/s")
              .add("block_read_p99", result.readP99Nanos(), "ns");
        }
      }
      if (result.point().writers() > 0) {
        add("write_bandwidth", result.writes(), to);
      }
    }
  }

  private static void add(String metric, Estimate estimate, Measurements to) {
    to.add(metric, estimate.mean(), SPEED).add(metric + "_confidence", estimate.halfWidth(), SPEED);
  }
}
