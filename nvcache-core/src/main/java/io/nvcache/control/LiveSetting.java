// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table of what may be changed while a cache runs. {@link LiveSettings} says what each does. A
 * row has the value that a cache begins with, the range, the end of the key in the settings of a
 * host, what consoles say of the attribute and, if there is a gauge, what it says of that. The
 * engine, the management bean, the gauges and the readers of the hosts' settings use these rows.
 */
public enum LiveSetting {
  // The paper's and WiredTiger's defaults (SoCC '22 §3.2.3; WiredTiger's dist/api_data.py), except
  // for the small bypass: that data would fit in DRAM does not mean that reads come from there.
  OVERHEAD_TARGET(
      new Range(0.10, 0.0, 10.0, "0 and 10 (0.10 is 10 %)"),
      "overhead.target",
      "Medium writes per lookup above which nothing is admitted or evicted, in percent:"
          + " 0 (admit nothing) to 1000.",
      new Gauge(
          "nvcache.overhead.target",
          "Medium writes per lookup above which nothing is admitted, as a ratio")),
  SMALL_BYPASS_DRAM_BYTES(
      Range.ofBytes("0 (the bypass is off) and 2^63 - 1"),
      "smallbypass.dram.bytes",
      "DRAM that the page cache may fill, in bytes: 0 (small bypass off) or more.",
      null),
  SMALL_BYPASS_FRACTION(
      new Range(0.50, Double.MIN_VALUE, 1.0, "just above 0 and 1"),
      "smallbypass.fraction",
      "The part of the data set that has to fit in that DRAM for the small bypass,"
          + " in percent: more than 0, at most 100.",
      null),
  EVICTION_WINDOW(
      new Range(
          Duration.ofMinutes(30),
          Duration.ofSeconds(1),
          Duration.ofDays(365),
          "1 second and 365 days"),
      "eviction.window.seconds",
      "How long a block must go unused before LFRU may evict it, in seconds: 1 to 31536000.",
      null),
  FULL_TARGET(
      new Range(0.95, 0.01, 1.0, "0.01 and 1"),
      "full.target",
      "How full the medium must be before LFRU evicts, in percent: 1 to 100.",
      null),
  IMPORTANT_SHARE(
      new Range(0.10, 0.0, 0.90, "0 (no block matters more) and 0.9"),
      "important.share",
      "The part of the capacity in which eviction passes over blocks that their store calls"
          + " important, in percent: 0 (none) to 90.",
      null),
  MAX_PINNED_BYTES(
      Range.ofBytes("0 (no pins) and 2^63 - 1"),
      "pinned.max.bytes",
      "What pins may hold at once, in bytes: 0 (no pins on memory) or more.",
      null),
  WRITE_LIMIT_BYTES_PER_SECOND(
      Range.ofBytes("0 (no limit) and 2^63 - 1"),
      "write.limit.second.bytes",
      "What may be written to the medium in a second, in bytes of its device: 0 (no limit)"
          + " or more.",
      new Gauge(
          "nvcache.write.limit.second",
          "What may be written to the medium in a second; 0 is no limit")),
  WRITE_LIMIT_BYTES_PER_DAY(
      Range.ofBytes("0 (no limit) and 2^63 - 1"),
      "write.limit.day.bytes",
      "What may be written to the medium in any 24 hours, in bytes of its device: 0 (no"
          + " limit) or more.",
      new Gauge(
          "nvcache.write.limit.day", "What may be written to the medium in a day; 0 is no limit")),
  VERIFIED_READS(
      new Range(0.0625, 0.0, 1.0, "0 and 1 (1 verifies each read)"),
      "verified.reads",
      "The part of the reads from flash that are compared with the block's checksum, of blocks of"
          + " whole pages that were compared before, in percent: 0 to 100 (always).",
      null);

  /** The gauge that shows a setting to Micrometer. */
  public record Gauge(String name, String description) {}

  /** All of one type: ratios are doubles, bytes are longs, times are durations. */
  private record Range(
      Comparable<?> standard, Comparable<?> least, Comparable<?> most, String words) {
    static Range ofBytes(String words) {
      return new Range(0L, 0L, Long.MAX_VALUE, words);
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // Doubles, longs, durations and text.
  private final Range range;

  private final String settingName;
  private final String key;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // Two texts.
  private final @Nullable Gauge gauge;

  LiveSetting(Range range, String key, String description, @Nullable Gauge gauge) {
    this.range = range;
    this.settingName =
        Pattern.compile("_(.)")
            .matcher(name().toLowerCase(Locale.ROOT))
            .replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
    this.key = key;
    this.description = description;
    this.gauge = gauge;
  }

  /** Returns the name of its getter in {@link LiveSettings} and of its option in the builder. */
  public String settingName() {
    return settingName;
  }

  /** Returns the name of the attribute that shows it over JMX: in percent, seconds or bytes. */
  public String attribute() {
    String name = settingName.substring(0, 1).toUpperCase(Locale.ROOT) + settingName.substring(1);
    return isRatio() ? name + "Percent" : isDuration() ? name + "Seconds" : name;
  }

  /** Returns the end of its key in the settings of a host. */
  public String key() {
    return key;
  }

  /** Returns what the attribute is, for consoles. */
  public String description() {
    return description + " Writable.";
  }

  /** Returns its gauge; empty if there is none. */
  public Optional<Gauge> gauge() {
    return Optional.ofNullable(gauge);
  }

  /** Returns the value that a cache begins with if none is set. */
  public Object standard() {
    return range.standard;
  }

  /** Returns the least value. */
  public Object least() {
    return range.least;
  }

  /** Returns the largest value. */
  public Object most() {
    return range.most;
  }

  /** Returns whether it is a double. */
  public boolean isRatio() {
    return range.standard instanceof Double;
  }

  /** Returns whether it is a {@link Duration}; what is neither this nor a ratio is a long. */
  public boolean isDuration() {
    return range.standard instanceof Duration;
  }

  /**
   * Returns a value if it is in the range.
   *
   * @throws IllegalArgumentException if it is not, or is of another type
   */
  public Object check(Object value) {
    Objects.requireNonNull(value, "value");
    if (!range.standard.getClass().isInstance(value) || !isInRange(value)) {
      throw new IllegalArgumentException(
          settingName
              + " is "
              + value
              + "; it must be between "
              + range.words
              + "; the setting stays as it was");
    }
    return value;
  }

  private boolean isInRange(Object value) {
    if (value instanceof Double ratio) { // By the numbers: 0 is no more than −0, and NaN is none.
      return (double) ratio >= (double) least() && (double) ratio <= (double) most();
    }
    return value instanceof Duration window
        ? window.compareTo((Duration) least()) >= 0 && window.compareTo((Duration) most()) <= 0
        : (long) value >= (long) least() && (long) value <= (long) most();
  }
}
