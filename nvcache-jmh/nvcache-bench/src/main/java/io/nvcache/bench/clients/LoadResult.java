// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What PerformanceEvaluation measured.
 *
 * @param rows that were read; it does not print it, so that only {@link #ofEvery} knows
 * @param rowsPerSecond of all its threads
 * @param micros latencies by percentile, each the mean of the threads'
 */
record LoadResult(long rows, double rowsPerSecond, Map<String, Double> micros) {
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
    return new LoadResult(0, Double.parseDouble(rate.group(1)), Map.copyOf(micros));
  }

  /**
   * Returns the same for one read of so many: the rate that is printed counts the others as well.
   *
   * @param ofRows the reads with the others
   */
  LoadResult ofEvery(int every, long ofRows) {
    return new LoadResult(ofRows / every, rowsPerSecond / every, micros);
  }

  private static double first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + pattern + " in the line '" + text + "'");
    }
    return Double.parseDouble(matcher.group(1));
  }
}
