// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How two policies compare: the median of the quotients of a figure, taken round by round, and
 * where that median lies with 95 % confidence. The interval is of order statistics: whatever the
 * distribution, the median is between the values at these ranks in 95 of 100 cases.
 *
 * @param low where it begins; NaN with fewer than six rounds
 * @param median NaN if they share no round
 * @param high where it ends
 */
public record PairedRatio(double low, double median, double high) {
  private static final int FEWEST_ROUNDS = 6;

  /** Half of a normal distribution's 95 %, in standard deviations. */
  private static final double DEVIATIONS = 1.96;

  /**
   * Less than this is not distinguished from 1 however well the rounds agree: where in memory
   * things came to lie, and what was compiled how, differs from process to process but not from
   * round to round. In ten runs of one command the same ratio lay up to 8 % from the middle of
   * them.
   */
  public static final double MARGIN = 0.08;

  /** The figure of one policy by another's. */
  static PairedRatio of(List<Turn> turns, List<Turn> baseline, ToDoubleFunction<Turn> figure) {
    return of(
        turns.stream()
            .flatMapToDouble(
                turn ->
                    baseline.stream()
                        .filter(other -> other.round() == turn.round())
                        .mapToDouble(
                            other -> figure.applyAsDouble(turn) / figure.applyAsDouble(other)))
            .toArray());
  }

  static PairedRatio of(double... ratios) {
    double[] sorted = Arrays.stream(ratios).filter(Double::isFinite).sorted().toArray();
    int count = sorted.length;
    if (count < FEWEST_ROUNDS) {
      return new PairedRatio(Double.NaN, quantile(0.5, sorted), Double.NaN);
    }
    int below = (int) Math.max(0, Math.floor((count - DEVIATIONS * Math.sqrt(count)) / 2));
    return new PairedRatio(sorted[below], quantile(0.5, sorted), sorted[count - 1 - below]);
  }

  /** Interpolated, of values in any order, of which those that are not numbers are left out. */
  static double quantile(double part, double... values) {
    double[] sorted = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double place = part * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** Whether the rounds agree that the ratio is not 1. */
  public boolean isClear() {
    return (low > 1 || high < 1) && (median >= 1 + MARGIN || median <= 1 / (1 + MARGIN));
  }
}
