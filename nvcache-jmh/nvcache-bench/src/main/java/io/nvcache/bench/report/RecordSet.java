// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import io.nvcache.report.JsonRecords;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** Records, and those among them that carry certain labels. */
record RecordSet(List<JsonRecords.Entry> entries) {
  RecordSet where(String label, String value) {
    return matching(entry -> value.equals(entry.labels().get(label)));
  }

  RecordSet where(Map<String, String> labels) {
    return matching(entry -> entry.labels().entrySet().containsAll(labels.entrySet()));
  }

  RecordSet without(String label) {
    return matching(entry -> !entry.labels().containsKey(label));
  }

  RecordSet ofMetrics(String... metrics) {
    return matching(entry -> List.of(metrics).contains(entry.metric()));
  }

  RecordSet whereNot(String label, String value) {
    return matching(entry -> !value.equals(entry.labels().get(label)));
  }

  RecordSet matching(Predicate<JsonRecords.Entry> condition) {
    return new RecordSet(entries.stream().filter(condition).toList());
  }

  /** The first figure of the metric. */
  OptionalDouble first(String metric) {
    return entries.stream()
        .filter(entry -> entry.metric().equals(metric))
        .mapToDouble(JsonRecords.Entry::value)
        .findFirst();
  }

  /** The median over the figures of the metric. */
  OptionalDouble median(String metric) {
    double[] sorted =
        entries.stream()
            .filter(entry -> entry.metric().equals(metric))
            .mapToDouble(JsonRecords.Entry::value)
            .sorted()
            .toArray();
    return sorted.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(sorted[sorted.length / 2]);
  }

  /** The values of a label, in the order of the records. */
  List<String> values(String label) {
    return entries.stream()
        .map(entry -> entry.labels().get(label))
        .filter(value -> value != null)
        .distinct()
        .toList();
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }
}
