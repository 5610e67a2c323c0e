// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a load generator measured.
 *
 * @param rows that were read; of PerformanceEvaluation, which does not print it, only {@link
 *     #ofEvery} knows
 * @param rowsPerSecond of all its threads
 * @param micros latencies by percentile; of PerformanceEvaluation the mean of its threads'
 * @param servedP99Micros the 99th percentile of the reads that waited for no store file; not a
 *     number where that can't be told
 */
record LoadResult(
    long rows, double rowsPerSecond, Map<String, Double> micros, double servedP99Micros) {
  /** The percentiles that are kept. */
  static final List<String> PERCENTILES = List.of("50", "99", "99.9");

  private static final Pattern RATE = Pattern.compile("\\[ Avg TPS/QPS\\]\\s+(\\d+)");
  private static final Pattern LATENCY = Pattern.compile("Latency \\(us\\) : (mean=.*)");

  /**
   * Reads the output of PerformanceEvaluation.
   *
   * @throws IllegalStateException if it is not from a test that ended
   */
  static LoadResult of(String output) {
    Matcher rate = RATE.matcher(output);
    if (!rate.find()) {
      throw new IllegalStateException(
          "PerformanceEvaluation did not end as it should; it printed\n" + output);
    }
    Map<String, Double> micros = new HashMap<>();
    for (String percentile : PERCENTILES) {
      Pattern value = Pattern.compile(" " + Pattern.quote(percentile) + "th=([\\d.]+)");
      LATENCY
          .matcher(output)
          .results()
          .mapToDouble(line -> first(value, line.group(1)))
          .average()
          .ifPresent(mean -> micros.put(percentile, mean));
    }
    return new LoadResult(0, Double.parseDouble(rate.group(1)), Map.copyOf(micros), Double.NaN);
  }

  /**
   * Returns the same for one read of so many: the rate that is printed counts the others as well.
   *
   * @param ofRows the reads with the others
   */
  LoadResult ofEvery(int every, long ofRows) {
    return new LoadResult(ofRows / every, rowsPerSecond / every, micros, servedP99Micros);
  }

  private static double first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + pattern + " in the line '" + text + "'");
    }
    return Double.parseDouble(matcher.group(1));
  }
}
