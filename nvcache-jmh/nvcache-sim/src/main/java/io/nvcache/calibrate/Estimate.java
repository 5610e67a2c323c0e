// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;

/**
 * A mean and how sure it is.
 *
 * @param mean of the rounds
 * @param halfWidth half of the 95 % confidence interval, by Student's t
 */
public record Estimate(double mean, double halfWidth) {
  private static final double BOTH_TAILS = 0.025;

  /** An interval of more than this to either side says little about the mean. */
  static final double WIDE = 1.0 / 3;

  /** Whether the interval is so wide that the mean may be anything. */
  boolean isWide() {
    return halfWidth > WIDE * mean;
  }

  /** Of at least two values. */
  static Estimate of(double... values) {
    SummaryStatistics statistics = new SummaryStatistics();
    for (double value : values) {
      statistics.addValue(value);
    }
    // No generator: nothing is sampled.
    double t =
        new TDistribution(null, values.length - 1.0).inverseCumulativeProbability(1 - BOTH_TAILS);
    double standardError = statistics.getStandardDeviation() / Math.sqrt(values.length);
    return new Estimate(statistics.getMean(), t * standardError);
  }
}
