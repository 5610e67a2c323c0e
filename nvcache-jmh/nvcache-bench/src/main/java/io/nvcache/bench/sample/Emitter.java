// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import io.nvcache.report.JsonRecords;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Hands records on with the labels of what they were measured on.
 *
 * @param labels of each record
 * @param out where records go
 */
public record Emitter(Map<String, String> labels, Consumer<JsonRecords.Entry> out) {
  /** The same with one more label. */
  public Emitter with(String label, Object value) {
    Map<String, String> more = new TreeMap<>(labels);
    more.put(label, value.toString());
    return new Emitter(more, out);
  }

  public void value(String metric, double value, String unit) {
    out.accept(new JsonRecords.Entry(metric, labels, value, unit));
  }

  /** The median under the metric's name and the quartiles next to it. */
  void quartiles(String metric, Quartiles figures, String unit) {
    value(metric, figures.median(), unit);
    value(metric + "_q1", figures.lower(), unit);
    value(metric + "_q3", figures.upper(), unit);
  }

  /** The same of a ratio. */
  public void ratio(String metric, Quartiles ratio) {
    quartiles(metric, ratio, "ratio");
  }
}
