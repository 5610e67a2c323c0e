// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads settings of {@code hbase-site.xml} by their types and ranges. What is out of its range is
 * refused with one line that names the key, the value, the range and the remedy.
 */
final class SiteSettings {
  private final Configuration configuration;

  SiteSettings(Configuration configuration) {
    this.configuration = configuration;
  }

  /** All keys that are set and begin with the prefix. */
  static Set<String> keys(Configuration configuration, String prefix) {
    Set<String> keys = new TreeSet<>();
    configuration.forEach(
        entry -> {
          if (entry.getKey().startsWith(prefix)) {
            keys.add(entry.getKey());
          }
        });
    return keys;
  }

  boolean isSet(String key) {
    return !configuration.getTrimmed(key, "").isEmpty();
  }

  String required(String key, String remedy) {
    if (!isSet(key)) {
      throw new IllegalArgumentException(key + " is not set; " + remedy);
    }
    return configuration.getTrimmed(key);
  }

  String text(String key, String byDefault) {
    return isSet(key) ? configuration.getTrimmed(key) : byDefault;
  }

  /** One of the words, the first of which is the default. */
  String choice(String key, String... words) {
    String value = text(key, words[0]);
    for (String word : words) {
      if (word.equals(value)) {
        return word;
      }
    }
    throw outOfRange(key, "one of " + String.join(", ", words));
  }

  /** One of the constants by its name in lower case with hyphens; the first is the default. */
  <E extends Enum<E>> E constant(String key, Class<E> type) {
    E[] constants = type.getEnumConstants();
    String[] words = new String[constants.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = constants[i].name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
    String chosen = choice(key, words);
    return Enum.valueOf(type, chosen.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  long integer(String key, long byDefault, long min, long max) {
    String range = "a whole number from " + min + " to " + max;
    long value;
    try {
      value = isSet(key) ? Long.parseLong(configuration.getTrimmed(key)) : byDefault;
    } catch (NumberFormatException e) {
      throw outOfRange(key, range);
    }
    if (value < min || value > max) {
      throw outOfRange(key, range);
    }
    return value;
  }

  double ratio(String key, double min, double max) {
    String range =
        "a number "
            + (min == Double.MIN_VALUE ? "above 0, up to " : "from " + plain(min) + " to ")
            + plain(max);
    double value;
    try {
      value = Double.parseDouble(configuration.getTrimmed(key));
    } catch (NumberFormatException e) {
      throw outOfRange(key, range);
    }
    if (!(value >= min && value <= max)) {
      throw outOfRange(key, range);
    }
    return value;
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private IllegalArgumentException outOfRange(String key, String range) {
    return new IllegalArgumentException(
        key
            + " is '"
            + configuration.getTrimmed(key)
            + "'; it must be "
            + range
            + "; change or remove it in hbase-site.xml");
  }
}
