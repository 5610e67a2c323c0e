// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import java.util.Locale;

/** Writes numbers of bytes for people: 23.5 GiB. */
public final class BinaryUnits {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private BinaryUnits() {}

  /** Returns the bytes in the largest unit of which there is one, with a digit behind the point. */
  public static String of(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    String form = value == Math.rint(value) ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, form, value, UNITS[unit]);
  }
}
