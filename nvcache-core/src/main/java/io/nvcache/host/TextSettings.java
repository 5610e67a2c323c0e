// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import io.nvcache.PolicyPreset;
import io.nvcache.control.LiveSetting;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings that hosts have as text, each by its type and range. What is not in its range is
 * refused with one line that names the key, the value, the range and the remedy. A setting that is
 * blank counts as not set.
 */
public final class TextSettings {
  private final Function<String, @Nullable String> given;
  private final String place;

  /**
   * Reads settings from anywhere.
   *
   * @param given the text of a key; null if there is none
   * @param place where the user changes it; named in the remedy
   */
  public TextSettings(Function<String, @Nullable String> given, String place) {
    this.given = given;
    this.place = place;
  }

  /** Returns whether a key has a value. */
  public boolean isSet(String key) {
    return !text(key, "").isEmpty();
  }

  /** Returns a text without blanks around it. */
  public String text(String key, String byDefault) {
    String value = given.apply(key);
    return value == null || value.isBlank() ? byDefault : value.strip();
  }

  /** Returns a text that has to be set. */
  public String required(String key, String remedy) {
    if (!isSet(key)) {
      throw new IllegalArgumentException(key + " is not set; " + remedy);
    }
    return text(key, "");
  }

  /** Returns one of the words, the first of which is the default. */
  public String choice(String key, String... words) {
    String value = text(key, words[0]);
    if (!Arrays.asList(words).contains(value)) {
      throw outOfRange(key, "one of " + String.join(", ", words));
    }
    return value;
  }

  /** Returns whether a setting is true, which is the default. */
  public boolean isTrue(String key) {
    return choice(key, "true", "false").equals("true");
  }

  /** Returns a constant by its name in lower case with hyphens; the first is the default. */
  public <E extends Enum<E>> E constant(String key, Class<E> type) {
    String[] words =
        Arrays.stream(type.getEnumConstants()).map(ReasonCounts::name).toArray(String[]::new);
    return Enum.valueOf(type, choice(key, words).toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Returns the preset that is named; the default one if none is. */
  public PolicyPreset preset(String key) {
    return PolicyPreset.named(
        choice(
            key,
            Arrays.stream(PolicyPreset.values()).map(PolicyPreset::label).toArray(String[]::new)));
  }

  /** Returns a whole number. */
  public long integer(String key, long byDefault, long least, long most) {
    String range = "a whole number from " + least + " to " + most;
    if (!isSet(key)) {
      return inRange(byDefault >= least && byDefault <= most, byDefault, key, range);
    }
    long value;
    try {
      value = Long.parseLong(text(key, ""));
    } catch (NumberFormatException e) {
      throw outOfRange(key, range);
    }
    return inRange(value >= least && value <= most, value, key, range);
  }

  /**
   * Returns a number that is set.
   *
   * @param least {@link Double#MIN_VALUE} for any number above 0
   */
  public double ratio(String key, double least, double most) {
    String range =
        "a number "
            + (least == Double.MIN_VALUE ? "above 0, up to " : "from " + plain(least) + " to ")
            + plain(most);
    double value;
    try {
      value = Double.parseDouble(text(key, ""));
    } catch (NumberFormatException e) {
      throw outOfRange(key, range);
    }
    return inRange(value >= least && value <= most, value, key, range);
  }

  /** Returns a live setting that is set, as {@link LiveSetting} has it. */
  public Object live(String key, LiveSetting setting) {
    if (setting.isRatio()) {
      return ratio(key, (double) setting.least(), (double) setting.most());
    }
    if (setting.isDuration()) {
      Duration least = (Duration) setting.least();
      Duration most = (Duration) setting.most();
      return Duration.ofSeconds(integer(key, 0, least.toSeconds(), most.toSeconds()));
    }
    return integer(key, 0, (long) setting.least(), (long) setting.most());
  }

  /** Returns names with commas, semicolons or blanks between them. */
  public Set<String> names(String key, Set<String> byDefault) {
    return isSet(key)
        ? Arrays.stream(text(key, "").split("[,;\\s]+"))
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toUnmodifiableSet())
        : byDefault;
  }

  /** Makes the refusal of a value. */
  public IllegalArgumentException outOfRange(String key, String range) {
    return new IllegalArgumentException(
        key
            + " is '"
            + text(key, "")
            + "'; it must be "
            + range
            + "; change or remove it in "
            + place);
  }

  private <N> N inRange(boolean inRange, N value, String key, String range) {
    if (!inRange) {
      throw outOfRange(key, range);
    }
    return value;
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }
}
