// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.stats.BinaryUnits;
import java.util.Locale;

/** Figures as people read them. What is not known is a dash. */
public final class Figures {
  public static final String UNKNOWN = "–";

  private Figures() {}

  /** A count with its thousands separated. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** A mean count with its thousands separated. */
  public static String count(double value) {
    return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%,.0f", value);
  }

  /** A figure in some format. */
  public static String number(double value, String format) {
    return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, format, value);
  }

  /** A ratio with two decimals. */
  public static String decimal(double value) {
    return Double.isNaN(value) ? UNKNOWN : String.format(Locale.ROOT, "%.2f", value);
  }

  /** A ratio as a multiple. */
  public static String times(double ratio) {
    return Double.isNaN(ratio) ? UNKNOWN : decimal(ratio) + " ×";
  }

  /** Two ratios with what is between them. */
  public static String range(double low, double high) {
    return Double.isNaN(low) ? UNKNOWN : decimal(low) + "–" + decimal(high);
  }

  /** A ratio in per cent, with one decimal. */
  public static String percent(double ratio) {
    return Double.isNaN(ratio) ? UNKNOWN : String.format(Locale.ROOT, "%.1f %%", ratio * 100);
  }

  /** A duration in the unit that suits it. */
  public static String micros(double micros) {
    if (Double.isNaN(micros)) {
      return UNKNOWN;
    }
    return micros < 10_000
        ? String.format(Locale.ROOT, "%,.0f µs", micros)
        : String.format(Locale.ROOT, "%,.1f ms", micros / 1000);
  }

  /** A measured size in the largest unit that leaves at least one in front of the point. */
  public static String bytes(double bytes) {
    return Double.isNaN(bytes) ? UNKNOWN : bytes(Math.round(bytes));
  }

  /** A size in the largest unit that leaves at least one in front of the point. */
  public static String bytes(long bytes) {
    return BinaryUnits.of(bytes);
  }
}
