// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the compactions whose heat was dropped, by reason. Thread-safe. */
final class HeatDrops {
  private final Map<HeatDrop, LongAdder> counts = new EnumMap<>(HeatDrop.class);

  /** Begins without any. */
  HeatDrops() {
    for (HeatDrop reason : HeatDrop.values()) {
      counts.put(reason, new LongAdder());
    }
  }

  /** Counts a compaction. */
  void count(HeatDrop reason) {
    adder(reason).increment();
  }

  /** Returns the compactions whose heat was dropped for a reason. */
  long of(HeatDrop reason) {
    return adder(reason).sum();
  }

  /** Returns the counts by the reasons' names, in lower case with hyphens. */
  Map<String, Long> byName() {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach(
        (reason, count) ->
            named.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), count.sum()));
    return named;
  }

  private LongAdder adder(HeatDrop reason) {
    LongAdder count = counts.get(reason);
    if (count == null) {
      throw new AssertionError(reason);
    }
    return count;
  }
}
