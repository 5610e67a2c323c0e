// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A size as people write it: 65536, 64KiB, 1.5GiB, or a percentage of the data.
 *
 * @param amount bytes, or the percentage
 * @param unit of the amount
 */
public record ByteSize(double amount, Unit unit) {
  /** What an amount is in. */
  public enum Unit {
    BYTES,
    PERCENT_OF_DATA
  }

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?) ?(%|B|KIB|MIB|GIB|TIB|)");

  /** Reads a size; empty if the text is none. */
  public static Optional<ByteSize> parse(String text) {
    Matcher matcher = FORM.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    double number = Double.parseDouble(matcher.group(1));
    if (matcher.group(2).equals("%")) {
      return Optional.of(new ByteSize(number, Unit.PERCENT_OF_DATA));
    }
    double bytes = number * bytesOf(matcher.group(2));
    return bytes == Math.rint(bytes)
        ? Optional.of(new ByteSize(bytes, Unit.BYTES))
        : Optional.empty();
  }

  private static long bytesOf(String unit) {
    return switch (unit) {
      case "KIB" -> 1L << 10;
      case "MIB" -> 1L << 20;
      case "GIB" -> 1L << 30;
      case "TIB" -> 1L << 40;
      default -> 1;
    };
  }

  /** The bytes, given the data's. */
  public long bytes(long dataBytes) {
    return unit == Unit.BYTES ? (long) amount : (long) (amount / 100 * dataBytes);
  }
}
