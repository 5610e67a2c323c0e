// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;

/**
 * The scale of an axis: from one labelled value to another, with at least two labels.
 *
 * @param ticks the labelled values, ascending; the first and the last are the ends
 * @param evenly what makes even steps of the values
 */
record Scale(List<Double> ticks, DoubleUnaryOperator evenly) {
  private static final int[] STEPS = {1, 2, 5};

  /** Returns a scale that has zero on it. */
  static Scale linear(DoubleSummaryStatistics range, int mostTicks) {
    double low = Math.min(0, range.getMin());
    double high = Math.max(0, range.getMax());
    if (!(low < high) || !Double.isFinite(high - low)) {
      low = 0;
      high = 1;
    }
    BigDecimal step = step((high - low) / Math.max(1, mostTicks - 1));
    while (ends(low, high, step) > mostTicks - 1 && mostTicks > 2) {
      step = step(step.doubleValue() * 1.5);
    }
    List<Double> ticks = new ArrayList<>();
    long first = (long) Math.floor(low / step.doubleValue() + 1e-9);
    long last = (long) Math.ceil(high / step.doubleValue() - 1e-9);
    for (long i = first; i <= last; i++) {
      ticks.add(step.multiply(BigDecimal.valueOf(i)).doubleValue());
    }
    return new Scale(ticks, value -> value);
  }

  private static long ends(double low, double high, BigDecimal step) {
    double width = step.doubleValue();
    return (long) (Math.ceil(high / width - 1e-9) - Math.floor(low / width + 1e-9));
  }

  /** Returns the least of 1, 2 and 5 times a power of ten that is not below a value. */
  private static BigDecimal step(double least) {
    int power = (int) Math.floor(Math.log10(least));
    for (int factor : STEPS) {
      BigDecimal step = BigDecimal.valueOf(factor).scaleByPowerOfTen(power);
      if (step.doubleValue() >= least * (1 - 1e-9)) {
        return step;
      }
    }
    return BigDecimal.ONE.scaleByPowerOfTen(power + 1);
  }

  /**
   * Returns a logarithmic scale with labels at 1, 2 and 5 times the powers of ten, or at these
   * powers alone where there would be too many.
   *
   * @param range of values above zero
   */
  static Scale logarithmic(DoubleSummaryStatistics range, int mostTicks) {
    List<Double> ticks = logarithmicTicks(range, STEPS);
    if (ticks.size() > mostTicks) {
      ticks = logarithmicTicks(range, new int[] {1});
    }
    int every = Math.max(1, (ticks.size() - 2) / Math.max(1, mostTicks - 1) + 1);
    List<Double> kept = new ArrayList<>();
    for (int i = 0; i < ticks.size() + every - 1; i += every) {
      kept.add(i < ticks.size() ? ticks.get(i) : ticks.get(0) * Math.pow(10, i));
    }
    return new Scale(List.copyOf(kept), Math::log10);
  }

  private static List<Double> logarithmicTicks(DoubleSummaryStatistics range, int[] steps) {
    int from = (int) Math.floor(Math.log10(range.getMin())) - 1;
    int to = (int) Math.ceil(Math.log10(range.getMax())) + 1;
    List<Double> ticks = new ArrayList<>();
    for (int power = from; power <= to; power++) {
      for (int factor : steps) {
        ticks.add(BigDecimal.valueOf(factor).scaleByPowerOfTen(power).doubleValue());
      }
    }
    int first = 0;
    while (ticks.get(first + 1) <= range.getMin()) {
      first++;
    }
    int last = ticks.size() - 1;
    while (last - 1 > first && ticks.get(last - 1) >= range.getMax()) {
      last--;
    }
    return ticks.subList(first, last + 1);
  }

  /** Returns where a value is, from 0 at the low end to 1 at the high one. */
  double part(double value) {
    double low = evenly.applyAsDouble(ticks.get(0));
    double high = evenly.applyAsDouble(ticks.get(ticks.size() - 1));
    return Math.min(1, Math.max(0, (evenly.applyAsDouble(value) - low) / (high - low)));
  }

  /** Returns the labels of its values. */
  Stream<String> labels() {
    return ticks.stream().map(Scale::label);
  }

  /** Returns the label of a value, without an exponent. */
  static String label(double value) {
    return new DecimalFormat("#,##0.#########", DecimalFormatSymbols.getInstance(Locale.ROOT))
        .format(value);
  }
}
