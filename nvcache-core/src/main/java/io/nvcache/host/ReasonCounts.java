// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a host's adapter dropped or passed by, by reason. Not for what happens at each hit.
 * Thread-safe.
 *
 * @param <R> the reasons
 */
public final class ReasonCounts<R extends Enum<R>> {
  private final Map<R, LongAdder> counts;

  /** Begins with zeros. */
  public ReasonCounts(Class<R> reasons) {
    counts = new EnumMap<>(reasons);
    for (R reason : reasons.getEnumConstants()) {
      counts.put(reason, new LongAdder());
    }
  }

  /** Adds one to the count of a reason. */
  public void count(R reason) {
    adder(reason).increment();
  }

  /** Returns the count of a reason. */
  public long of(R reason) {
    return adder(reason).sum();
  }

  /** Returns the counts by the reasons' names, in lower case with hyphens. */
  public Map<String, Long> byName() {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((reason, count) -> named.put(name(reason), count.sum()));
    return named;
  }

  /** Returns how a reason is called in the log and over JMX. */
  public static String name(Enum<?> reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private LongAdder adder(R reason) {
    LongAdder count = counts.get(reason);
    if (count == null) {
      throw new AssertionError(reason);
    }
    return count;
  }
}
