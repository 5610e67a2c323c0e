// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what went past the cache, by reason. Never touched on a hit. Thread-safe. */
final class Bypasses {
  private final Map<Bypass, LongAdder> counts = new EnumMap<>(Bypass.class);

  Bypasses() {
    for (Bypass reason : Bypass.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  void count(Bypass reason) {
    adder(reason).increment();
  }

  long of(Bypass reason) {
    return adder(reason).sum();
  }

  /** The counts by the reasons' names, in lower case with hyphens. */
  Map<String, Long> byName() {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((reason, count) -> named.put(name(reason), count.sum()));
    return named;
  }

  /** How a reason is called in the log and over JMX. */
  static String name(Bypass reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private LongAdder adder(Bypass reason) {
    LongAdder count = counts.get(reason);
    if (count == null) {
      throw new AssertionError(reason);
    }
    return count;
  }
}
