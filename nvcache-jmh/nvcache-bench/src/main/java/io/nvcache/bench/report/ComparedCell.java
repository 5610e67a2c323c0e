// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import io.nvcache.report.JsonRecords;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A cell that caches are compared in, by its labels.
 *
 * @param operation such as {@code hit_copy}
 * @param blockBytes the length of blocks
 * @param buffer the kind of buffer
 * @param keys the distribution of keys
 * @param threads how many
 */
record ComparedCell(
    String operation, String blockBytes, String buffer, String keys, String threads) {
  /** What caches are compared in, in the order of reports. */
  static final List<String> OPERATIONS =
      List.of("hit_copy", "hit_touch", "miss", "miss_file", "insert", "replace");

  /** The cells that there are ratios of, in the order of the records. */
  static Set<ComparedCell> of(RecordSet records) {
    Set<ComparedCell> cells = new LinkedHashSet<>();
    for (JsonRecords.Entry entry : records.entries()) {
      Map<String, String> labels = entry.labels();
      ComparedCell cell =
          new ComparedCell(
              labels.getOrDefault("op", ""),
              labels.getOrDefault("blockBytes", ""),
              labels.getOrDefault("buffer", ""),
              labels.getOrDefault("dist", ""),
              labels.getOrDefault("threads", ""));
      if (OPERATIONS.contains(cell.operation) && entry.metric().equals(cell.metric())) {
        cells.add(cell);
      }
    }
    return cells;
  }

  private String metric() {
    return operation + "_ratio_to_raw";
  }

  /** The records of the cell. */
  RecordSet in(RecordSet records) {
    return records.where(
        Map.of(
            "op", operation,
            "blockBytes", blockBytes,
            "buffer", buffer,
            "dist", keys,
            "threads", threads));
  }

  /** The ratio of the cell, of records of one cache. */
  OptionalDouble ratio(RecordSet records) {
    return in(records).first(metric());
  }

  /** The ratios of the cell, of the caches that kept enough of what was written. */
  List<JsonRecords.Entry> ratios(RecordSet records) {
    RecordSet own = in(records);
    return own.ofMetric(metric()).entries().stream()
        .filter(entry -> keptEnough(own.where("impl", entry.labels().getOrDefault("impl", ""))))
        .toList();
  }

  private boolean keptEnough(RecordSet ofCache) {
    return RatioTable.keptEnough(ofCache.first(operation + "_retained_ratio"));
  }

  @Override
  public String toString() {
    return String.join(
        ", ",
        operation.replace('_', ' '),
        OperationTables.length(blockBytes),
        buffer,
        keys,
        threads + (threads.equals("1") ? " thread" : " threads"));
  }
}
