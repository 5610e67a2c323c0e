// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.report.Figures;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Turns the texts of options into checked values. Options are kept as texts until here, so that
 * every mistake, of form or of range, gets the same kind of answer: the option, the value, what it
 * may be.
 */
public final class OptionReader {
  /** Whole numbers have eighteen digits at most. */
  public static final long MAX_SEED = 999_999_999_999_999_999L;

  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,15}(\\.\\d{1,9})?");

  private final CommandLine command;

  public OptionReader(CommandLine command) {
    this.command = command;
  }

  public long wholeNumber(String option, String text, long min, long max) {
    if (WHOLE.matcher(text).matches()) {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return value;
      }
    }
    throw bad(option, text, "a whole number from " + min + " to " + max);
  }

  /** Whole numbers between commas, each at most once. */
  public List<Long> wholeNumbers(String option, String text, long min, long max) {
    List<Long> numbers = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      long number = wholeNumber(option, item.strip(), min, max);
      if (numbers.contains(number)) {
        throw bad(option, text, "a list without repetitions");
      }
      numbers.add(number);
    }
    return List.copyOf(numbers);
  }

  public double decimal(String option, String text, double min, double max) {
    if (DECIMAL.matcher(text).matches()) {
      double value = Double.parseDouble(text);
      if (value >= min && value <= max) {
        return value;
      }
    }
    throw bad(option, text, "a number from " + plain(min) + " to " + plain(max));
  }

  /** A percentage; the result is the ratio. */
  public double percentage(String option, String text, double minPercent, double maxPercent) {
    String number = text.endsWith("%") ? text.substring(0, text.length() - 1).strip() : "";
    if (DECIMAL.matcher(number).matches()) {
      double value = Double.parseDouble(number);
      if (value >= minPercent && value <= maxPercent) {
        return value / 100;
      }
    }
    throw bad(
        option, text, "a percentage from " + plain(minPercent) + "% to " + plain(maxPercent) + "%");
  }

  /** A size in bytes. */
  public long size(String option, String text, long minBytes, long maxBytes) {
    Optional<ByteSize> size =
        ByteSize.parse(text).filter(parsed -> parsed.unit() == ByteSize.Unit.BYTES);
    if (size.isPresent()) {
      long bytes = size.get().bytes(0);
      if (bytes >= minBytes && bytes <= maxBytes) {
        return bytes;
      }
    }
    throw bad(option, text, "a size from " + compact(minBytes) + " to " + compact(maxBytes));
  }

  /** The answer to a size that other options don't go with; the limits as they can be typed in. */
  public ParameterException outside(
      String option, String text, long minBytes, long maxBytes, String reason) {
    return bad(
        option,
        text,
        "a size from " + wholeMib(minBytes) + " to " + wholeMib(maxBytes) + ", " + reason);
  }

  private static String wholeMib(long bytes) {
    return (bytes >> 20) + "MiB";
  }

  /** A size, or a percentage of the data. */
  public long sizeOfData(String option, String text, long dataBytes, long minBytes, long maxBytes) {
    Optional<ByteSize> size = ByteSize.parse(text);
    String value = text;
    if (size.isPresent()) {
      long bytes = size.get().bytes(dataBytes);
      if (bytes >= minBytes && bytes <= maxBytes) {
        return bytes;
      }
      value = text + " = " + compact(bytes);
    }
    throw bad(
        option,
        value,
        "a size from "
            + compact(minBytes)
            + " to "
            + compact(maxBytes)
            + ", or a percentage of the data ("
            + compact(dataBytes)
            + ")");
  }

  public <T> T oneOf(String option, String text, T[] choices, Function<T, String> label) {
    return find(text, choices, label)
        .orElseThrow(() -> bad(option, text, "one of " + labels(choices, label)));
  }

  /**
   * Returns choices between commas, each at most once.
   *
   * @param text null for all choices
   */
  public <T> List<T> listOf(
      String option, @Nullable String text, T[] choices, Function<T, String> label) {
    if (text == null) {
      return List.of(choices);
    }
    List<T> chosen = new ArrayList<>();
    for (String item : text.split(",", -1)) {
      Optional<T> choice = find(item, choices, label);
      if (choice.isEmpty() || chosen.contains(choice.get())) {
        throw bad(
            option,
            text,
            "a list, with commas and without repetitions, of " + labels(choices, label));
      }
      chosen.add(choice.get());
    }
    return List.copyOf(chosen);
  }

  /**
   * Returns a directory that can be written to.
   *
   * @param directory null for the system's temporary directory
   */
  public Path directory(String option, @Nullable Path directory) {
    Path place = directory == null ? Path.of(System.getProperty("java.io.tmpdir")) : directory;
    if (!Files.isDirectory(place) || !Files.isWritable(place)) {
      throw bad(option, place.toString(), "a directory that can be written to");
    }
    return place;
  }

  private static <T> Optional<T> find(String text, T[] choices, Function<T, String> label) {
    return Arrays.stream(choices)
        .filter(choice -> label.apply(choice).equalsIgnoreCase(text.strip()))
        .findFirst();
  }

  /** The answer to a value that can't be used. */
  public ParameterException bad(String option, String text, String expected) {
    return new ParameterException(command, option + " is '" + text + "'; it must be " + expected);
  }

  /** The answer to a value whose mistake is known. */
  public ParameterException wrong(String option, String mistake) {
    return new ParameterException(command, option + ": " + mistake);
  }

  /** The answer to an option that was not given. */
  public ParameterException missing(String option, String remedy) {
    return new ParameterException(command, option + " is missing; " + remedy);
  }

  private static <T> String labels(T[] choices, Function<T, String> label) {
    return Arrays.stream(choices).map(label).collect(Collectors.joining(", "));
  }

  private static String plain(double number) {
    return number == Math.rint(number)
        ? String.format(Locale.ROOT, "%.0f", number)
        : BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  /** As it can be typed in. */
  private static String compact(long bytes) {
    return Figures.bytes(bytes).replace(" ", "");
  }
}
