// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.report.JsonRecords;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What was measured of a run.
 *
 * @param labels of its records
 * @param figures by metric
 */
public record RestartResult(Map<String, String> labels, Map<String, JsonRecords.Entry> figures) {
  /** Copies the maps. */
  public RestartResult {
    labels = Map.copyOf(labels);
    figures = Map.copyOf(figures);
  }

  static RestartResult of(
      RestartRun run,
      Map<String, JsonRecords.Entry> filled,
      Map<String, JsonRecords.Entry> restarted) {
    Map<String, String> labels =
        Map.of(
            "block_bytes", Integer.toString(run.blockBytes()),
            "blocks", Integer.toString(run.blocks()),
            "engine", run.engine().label(),
            "medium", run.isListed() ? "listed" : "drive",
            "stop", run.stop().label());
    double before = value(filled, RestartFork.FILLED_BLOCKS);
    double after = value(restarted, RestartFork.RESTORED_BLOCKS);
    restarted.put(
        "restored_ratio", new JsonRecords.Entry("restored_ratio", labels, after / before, "ratio"));
    return new RestartResult(labels, restarted);
  }

  private static double value(Map<String, JsonRecords.Entry> records, String metric) {
    return Objects.requireNonNull(records.get(metric), metric).value();
  }

  /** Returns a figure; NaN if it was not measured. */
  public double value(String metric) {
    JsonRecords.Entry record = figures.get(metric);
    return record == null ? Double.NaN : record.value();
  }

  /** Returns the records, with the labels. */
  public Collection<JsonRecords.Entry> records() {
    return figures.values().stream()
        .map(
            record -> new JsonRecords.Entry(record.metric(), labels, record.value(), record.unit()))
        .sorted((a, b) -> a.metric().compareTo(b.metric()))
        .toList();
  }

  /** Returns all records of some runs. */
  public static List<JsonRecords.Entry> records(List<RestartResult> results) {
    return results.stream().flatMap(result -> result.records().stream()).toList();
  }
}
