// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.report.JsonRecords.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The records of the command {@code calibrate}; docs/reference/calibration.md lists them. */
public final class CalibrationRecords {
  private static final String SPEED = "bytes/s";

  private final List<Entry> records = new ArrayList<>();

  private CalibrationRecords() {}

  /** All records of one calibration. */
  public static List<Entry> of(CalibrationResult result) {
    CalibrationRecords records = new CalibrationRecords();
    records.addTarget(result);
    for (MediumResult medium : result.media()) {
      records.addParameters(medium);
      records.addPoints(medium, result.settings().blockBytes());
    }
    return List.copyOf(records.records);
  }

  private void addTarget(CalibrationResult result) {
    Map<String, String> labels = Map.of("medium", result.calibrated().label());
    Recommendation recommendation = result.recommendation();
    add("overhead_target", labels, recommendation.overheadTarget(), "ratio");
    add("overhead_bypass", labels, recommendation.isOff() ? 0 : 1, "boolean");
    add("trustworthy", labels, result.doubts().isEmpty() ? 1 : 0, "boolean");
    if (Double.isFinite(recommendation.harm())) {
      add("harm", labels, recommendation.harm(), "ratio");
      add("write_harm", labels, recommendation.policyHarm(), "ratio");
    }
    CalibrationSettings settings = result.settings();
    add("block_bytes", labels, settings.blockBytes(), "bytes");
    add("medium_bytes", labels, (double) settings.mediumBytes(), "bytes");
    add("rounds", labels, result.rounds(), "rounds");
    add("processors", labels, Runtime.getRuntime().availableProcessors(), "processors");
  }

  private void addParameters(MediumResult medium) {
    Map<String, String> labels = Map.of("medium", medium.label());
    DeviceParameters device = medium.fit().parameters();
    add("device_read_bandwidth", labels, device.readBandwidth(), SPEED);
    add("device_reader_bandwidth", labels, device.readerBandwidth(), SPEED);
    add("device_writer_bandwidth", labels, device.writerBandwidth(), SPEED);
    add("device_full_speed_writers", labels, device.fullSpeedWriters(), "writers");
    add("device_writer_crowding", labels, device.writerCrowding(), "exponent");
    add("device_reads_slowed_by_writes", labels, device.readsSlowedByWrites(), "ratio");
    add("device_writes_slowed_by_reads", labels, device.writesSlowedByReads(), "ratio");
    add("device_read_latency", labels, medium.latencies().get(0).medianNanos(), "ns");
    add("device_fit_error", labels, medium.fit().error(), "ratio");
    add("best_writers", labels, medium.bestWriters(), "writers");
  }

  private void addPoints(MediumResult medium, int blockBytes) {
    for (PointResult result : medium.points()) {
      Map<String, String> labels =
          Map.of(
              "medium", medium.label(),
              "readers", Integer.toString(result.point().readers()),
              "writers", Integer.toString(result.point().writers()));
      if (result.point().readers() > 0) {
        addEstimate("read_bandwidth", labels, result.reads());
        if (medium.hasReadTimes()) {
          add("block_reads", labels, result.reads().mean() / blockBytes, "reads/s");
          add("block_read_p99", labels, result.readP99Nanos(), "ns");
        }
      }
      if (result.point().writers() > 0) {
        addEstimate("write_bandwidth", labels, result.writes());
      }
    }
    for (Latency latency : medium.latencies()) {
      addLatency(medium, latency, "50", latency.medianNanos());
      addLatency(medium, latency, "99", latency.p99Nanos());
    }
  }

  private void addEstimate(String metric, Map<String, String> labels, Estimate estimate) {
    add(metric, labels, estimate.mean(), SPEED);
    add(metric + "_confidence", labels, estimate.halfWidth(), SPEED);
  }

  private void addLatency(MediumResult medium, Latency latency, String percentile, double nanos) {
    Map<String, String> labels =
        Map.of(
            "medium", medium.label(),
            "writers", Integer.toString(latency.writers()),
            "percentile", percentile);
    add("read_latency", labels, nanos, "ns");
  }

  private void add(String metric, Map<String, String> labels, double value, String unit) {
    records.add(new Entry(metric, labels, value, unit));
  }
}
