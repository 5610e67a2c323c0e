// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.BlockCacheBuilder;
import io.nvcache.Calibration;
import io.nvcache.PolicyPreset;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads settings of one type each, and says in one line what is wrong with one. */
final class SettingReader {
  private final Properties given;

  SettingReader(Properties given) {
    this.given = given;
  }

  boolean isSet(String key) {
    return !text(key).isEmpty();
  }

  String required(String key, String remedy) {
    if (!isSet(key)) {
      throw new IllegalArgumentException(key + " is not set; " + remedy);
    }
    return text(key);
  }

  /** One of the words, the first of which is the default. */
  String choice(String key, String... words) {
    String value = isSet(key) ? text(key) : words[0];
    if (!Arrays.asList(words).contains(value)) {
      throw outOfRange(key, "one of " + String.join(", ", words));
    }
    return value;
  }

  /** The preset that is named; the default one if none is. */
  PolicyPreset preset(String key) {
    if (!isSet(key)) {
      return PolicyPreset.DEFAULT;
    }
    return Arrays.stream(PolicyPreset.values())
        .filter(preset -> preset.label().equals(text(key)))
        .findFirst()
        .orElseThrow(
            () ->
                outOfRange(
                    key,
                    "one of "
                        + Arrays.stream(PolicyPreset.values())
                            .map(PolicyPreset::label)
                            .collect(Collectors.joining(", "))));
  }

  long integer(String key, long byDefault, long min, long max) {
    String range = "a whole number from " + min + " to " + max;
    long value;
    try {
      value = isSet(key) ? Long.parseLong(text(key)) : byDefault;
    } catch (NumberFormatException e) {
      throw outOfRange(key, range);
    }
    if (value < min || value > max) {
      throw outOfRange(key, range);
    }
    return value;
  }

  double ratio(String key, double min, double max) {
    String range = "a number " + (min > 0 ? "above 0, up to " : "from 0 to ") + max;
    double value;
    try {
      value = Double.parseDouble(text(key));
    } catch (NumberFormatException e) {
      throw outOfRange(key, range);
    }
    if (!(value >= min && value <= max)) {
      throw outOfRange(key, range);
    }
    return value;
  }

  /** Names with commas, semicolons or blanks between them. */
  Set<String> names(String key, Set<String> byDefault) {
    if (!isSet(key)) {
      return byDefault;
    }
    return Arrays.stream(text(key).split("[,;\\s]+"))
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** An address of this machine, with the port given. */
  InetSocketAddress address(String key, String byDefault, int port) {
    InetSocketAddress address = new InetSocketAddress(isSet(key) ? text(key) : byDefault, port);
    if (address.isUnresolved()) {
      throw outOfRange(key, "a name or number of this machine");
    }
    return address;
  }

  /** Sets the overhead target from a calibration. */
  void calibrate(String key, BlockCacheBuilder builder) {
    try {
      builder.calibration(Calibration.read(Path.of(text(key))));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
    }
  }

  private String text(String key) {
    return given.getProperty(key, "").trim();
  }

  private IllegalArgumentException outOfRange(String key, String range) {
    return new IllegalArgumentException(
        key
            + " is '"
            + text(key)
            + "'; it must be "
            + range
            + "; change or remove it in the settings of the agent");
  }
}
