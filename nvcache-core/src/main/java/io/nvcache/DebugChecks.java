// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Reads the checks that a whole JVM's caches shall do from the command line. */
final class DebugChecks {
  static final String PROPERTY = "nvcache.debug";

  private DebugChecks() {}

  static Set<DebugCheck> fromProperty() {
    return parse(System.getProperty(PROPERTY, ""));
  }

  static Set<DebugCheck> parse(String names) {
    if (names.equals("all")) {
      return EnumSet.allOf(DebugCheck.class);
    }
    Set<DebugCheck> checks = EnumSet.noneOf(DebugCheck.class);
    for (String name : names.split(",", -1)) {
      if (!name.isBlank()) {
        checks.add(parseOne(name.strip()));
      }
    }
    return checks;
  }

  private static DebugCheck parseOne(String name) {
    try {
      return DebugCheck.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          PROPERTY
              + " names "
              + name
              + "; it takes all, or some of poison_freed, check_index, track_leases",
          e);
    }
  }
}
