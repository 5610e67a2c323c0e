// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a run has measured: a metric, the labels of what it was measured on, a value and its unit.
 * Records are these; tables and plots are views of them by name.
 *
 * <p>Not for several threads at once.
 */
public final class Measurements {
  private final List<JsonRecords.Entry> records;
  private final Map<String, String> labels;

  /** Makes an empty list. */
  public Measurements() {
    this(new ArrayList<>(), Map.of());
  }

  private Measurements(List<JsonRecords.Entry> records, Map<String, String> labels) {
    this.records = records;
    this.labels = labels;
  }

  /** Returns the same list, to which measurements are added with one more label. */
  public Measurements with(String label, Object value) {
    return with(Map.of(label, value.toString()));
  }

  /** Returns the same list, to which measurements are added with more labels. */
  public Measurements with(Map<String, String> some) {
    Map<String, String> more = new HashMap<>(labels);
    more.putAll(some);
    return new Measurements(records, more);
  }

  /** Adds a measurement, unless its value isn't a number: what was not measured is left out. */
  public Measurements add(String metric, double value, String unit) {
    JsonRecords.add(records, metric, labels, value, unit);
    return this;
  }

  /** Adds a count. */
  public Measurements add(String metric, long count, String unit) {
    return add(metric, (double) count, unit);
  }

  /** Adds 1 for what is so and 0 for what is not. */
  public Measurements flag(String metric, boolean isSo) {
    return add(metric, isSo ? 1 : 0, "boolean");
  }

  /** Returns what was measured before, in order. */
  public static Measurements of(List<JsonRecords.Entry> records) {
    return new Measurements(List.copyOf(records), Map.of());
  }

  /** Returns those that meet a condition, to look at. */
  public Measurements matching(Predicate<JsonRecords.Entry> condition) {
    return of(records.stream().filter(condition).toList());
  }

  /** Returns those with at least these labels, to look at. */
  public Measurements where(Map<String, String> having) {
    return matching(each -> isOf(each, having));
  }

  /** Returns those with this label, to look at. */
  public Measurements where(String label, String value) {
    return where(Map.of(label, value));
  }

  /** Returns all that was added, in order. */
  public List<JsonRecords.Entry> records() {
    return List.copyOf(records);
  }

  /** Returns the first value with at least these labels; NaN if there is none. */
  public double value(String metric, Map<String, String> having) {
    return records.stream()
        .filter(each -> each.metric().equals(metric) && isOf(each, having))
        .mapToDouble(JsonRecords.Entry::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Returns the first value of a metric; NaN if there is none. */
  public double value(String metric) {
    return value(metric, Map.of());
  }

  /** Returns the values of a label, in order and each once. */
  public List<String> values(String label) {
    return records.stream()
        .flatMap(each -> Optional.ofNullable(each.labels().get(label)).stream())
        .distinct()
        .toList();
  }

  /** Returns the sum of the values of a metric. */
  public double sum(String metric) {
    return records.stream()
        .filter(each -> each.metric().equals(metric))
        .mapToDouble(JsonRecords.Entry::value)
        .sum();
  }

  /**
   * Returns the values that labels have together, in order and each once, of the measurements of a
   * metric with some other labels.
   */
  public List<Map<String, String>> distinct(
      String metric, Map<String, String> having, List<String> names) {
    return matching(each -> each.metric().equals(metric) && isOf(each, having)).distinct(names);
  }

  /** Returns the values that labels have together, in order and each once. */
  public List<Map<String, String>> distinct(List<String> names) {
    return records.stream()
        .filter(each -> each.labels().keySet().containsAll(names))
        .map(each -> some(each.labels(), names))
        .distinct()
        .toList();
  }

  private static Map<String, String> some(Map<String, String> labels, List<String> names) {
    Map<String, String> some = new LinkedHashMap<>();
    for (String name : names) {
      some.put(name, labels.getOrDefault(name, ""));
    }
    return some;
  }

  private static boolean isOf(JsonRecords.Entry record, Map<String, String> having) {
    return record.labels().entrySet().containsAll(having.entrySet());
  }
}
