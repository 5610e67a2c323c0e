// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import java.util.Arrays;

/**
 * The median of some values and the quartiles around it, linearly interpolated between neighbours
 * (type 7 of R. J. Hyndman and Y. Fan, "Sample Quantiles in Statistical Packages", 1996).
 */
public record Quartiles(double lower, double median, double upper) {
  /** Returns those of at least one value. */
  public static Quartiles of(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("there are no values; quartiles need at least one");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Quartiles(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
  }

  private static double quantile(double[] sorted, double part) {
    double at = part * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(sorted.length - 1, below + 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
