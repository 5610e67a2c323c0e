// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.CacheStats;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.ReasonLedger;
import io.nvcache.control.ShadowReport;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@link StatTable}: one number, and how it is called where it is shown.
 *
 * @param attribute its name over JMX; empty if it has none
 * @param description what the attribute is, for consoles
 * @param type long or double
 * @param count how the ledger of a cache has it; null if it is no count of the ledger
 * @param entry its name in {@link ReasonLedger#entries}; empty if it has none
 * @param meter its meter; null if it has none
 */
public record Stat(
    String attribute,
    String description,
    Class<? extends Number> type,
    Function<Reading, Number> value,
    @Nullable ToLongFunction<ReasonLedger> count,
    String entry,
    @Nullable Meter meter) {

  /**
   * How a number is shown to Micrometer.
   *
   * @param counter whether it only grows
   * @param unit empty if it is a plain number
   * @param tag the key and the value of a tag; empty for none
   */
  public record Meter(
      String name, boolean counter, String description, String unit, List<String> tag) {}

  /** Begins the row of a count that snapshots have a method for. */
  static Stat count(String attribute, String description, ToLongFunction<CacheStats> count) {
    return ledger(attribute, description, ledger -> count.applyAsLong(ledger.stats()));
  }

  /** Begins the row of a sum of counters; it is 0 where a cache does not keep them. */
  static Stat sum(String attribute, String description, Counter... counters) {
    return ledger(
        attribute,
        description,
        ledger -> ledger instanceof LedgerSnapshot own ? own.stats().sum(counters) : 0);
  }

  /** Begins the row of a count of the ledger. */
  static Stat ledger(String attribute, String description, ToLongFunction<ReasonLedger> count) {
    return whole(attribute, description, reading -> count.applyAsLong(reading.ledger()), count);
  }

  /** Begins the row of a count of the ledger that JMX does not show. */
  static Stat unnamed(ToLongFunction<ReasonLedger> count) {
    return ledger("", "", count);
  }

  /** Begins the row of a ratio or a level that snapshots have a method for. */
  static Stat level(String attribute, String description, ToDoubleFunction<CacheStats> level) {
    return number(attribute, description, reading -> level.applyAsDouble(reading.stats()));
  }

  /** Begins the row of a whole number of the health. */
  static Stat health(String attribute, String description, ToLongFunction<CacheHealth> count) {
    return whole(attribute, description, reading -> count.applyAsLong(reading.health()), null);
  }

  /** Begins the row of a whole number that shadows found. */
  static Stat shadows(String attribute, String description, ToLongFunction<ShadowReport> count) {
    return whole(attribute, description, reading -> count.applyAsLong(reading.shadows()), null);
  }

  /** Begins the row of any number. */
  static Stat number(String attribute, String description, Function<Reading, Number> value) {
    return new Stat(attribute, description, double.class, value, null, "", null);
  }

  private static Stat whole(
      String attribute,
      String description,
      Function<Reading, Number> value,
      @Nullable ToLongFunction<ReasonLedger> count) {
    return new Stat(attribute, description, long.class, value, count, "", null);
  }

  /** Gives it a name in the ledger. */
  Stat entry(String name) {
    return new Stat(attribute, description, type, value, count, name, meter);
  }

  /** Gives it a counter that is described as the attribute is. */
  Stat counter(String name) {
    return counter(name, description.replaceFirst("\\.$", ""));
  }

  /** Gives it a counter, or one of several with a name, which differ by a tag. */
  Stat counter(String name, String description, String... tag) {
    return meter(new Meter(name, true, description, unit(name), List.of(tag)));
  }

  /** Gives it a gauge, or one of several with a name, which differ by a tag. */
  Stat gauge(String name, String description, String... tag) {
    return meter(new Meter(name, false, description, unit(name), List.of(tag)));
  }

  Stat meter(Meter meter) {
    return new Stat(attribute, description, type, value, count, entry, meter);
  }

  private static String unit(String meter) {
    return meter.endsWith(".bytes") ? "bytes" : meter.endsWith(".age") ? "seconds" : "";
  }

  /** Returns what tags and keys call a constant. */
  static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Ratios become percent, without the noise of binary fractions: 7 %, not 7.000000000000001. */
  public static double percent(double ratio) {
    return Math.rint(ratio * 1e8) / 1e6;
  }

  /** To six digits behind the point. */
  public static double rounded(double value) {
    return Math.rint(value * 1e6) / 1e6;
  }
}
