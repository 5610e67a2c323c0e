// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.remote.RemoteCache;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What happened to a cache between two looks at it, as a line of a table. */
final class WatchLine {
  static final String TITLES =
      format(
          "time",
          "lookups/s",
          "hits %",
          "admit/s",
          "refused/s",
          "evict/s",
          "MB/s",
          "target %",
          "used %",
          "refused mostly");

  private static final String OFFERS = "OffersByResult";
  private static final Set<String> NOT_REFUSED = Set.of("ADMITTED", "ALREADY_CACHED");

  private static final List<String> COUNTS =
      List.of(
          "Lookups",
          "Hits",
          "Evictions",
          "Displacements",
          "Rebalancings",
          "MediumWrittenBytes",
          OFFERS);

  /** What was counted up to one look. */
  record Counts(Map<String, Long> totals, Map<String, Long> offers) {
    static Counts of(RemoteCache cache) throws IOException {
      Map<String, Object> counts = cache.get(COUNTS);
      Map<String, Long> offers = new HashMap<>();
      ((Map<?, ?>) counts.remove(OFFERS))
          .forEach((result, count) -> offers.put(result.toString(), (Long) count));
      Map<String, Long> totals = new HashMap<>();
      counts.forEach((name, count) -> totals.put(name, (Long) count));
      return new Counts(totals, offers);
    }

    private Counts since(Counts before) {
      return new Counts(difference(totals, before.totals), difference(offers, before.offers));
    }

    private static Map<String, Long> difference(Map<String, Long> now, Map<String, Long> before) {
      Map<String, Long> fresh = new HashMap<>(now);
      before.forEach((name, count) -> fresh.merge(name, -count, Long::sum));
      return fresh;
    }

    private long total(String name) {
      return totals.getOrDefault(name, 0L);
    }

    private long evicted() {
      return total("Evictions") + total("Displacements") + total("Rebalancings");
    }

    private long refused() {
      return offers.entrySet().stream()
          .filter(offer -> !NOT_REFUSED.contains(offer.getKey()))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    /** The most frequent reason and its part of all, or nothing. */
    private String mostly() {
      return offers.entrySet().stream()
          .filter(offer -> !NOT_REFUSED.contains(offer.getKey()) && offer.getValue() > 0)
          .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
          .map(
              offer ->
                  offer.getKey().toLowerCase(Locale.ROOT)
                      + " "
                      + 100 * offer.getValue() / refused()
                      + "%")
          .orElse("");
    }
  }

  private final Counts fresh;
  private final double seconds;

  WatchLine(Counts before, Counts after, double seconds) {
    this.fresh = after.since(before);
    this.seconds = seconds;
  }

  /** The line, with what is read rather than counted. */
  String text(Object time, Object targetPercent, double usedPercent) {
    long lookups = fresh.total("Lookups");
    return format(
        time,
        rate(lookups),
        lookups == 0 ? "-" : oneDigit(100.0 * fresh.total("Hits") / lookups),
        rate(fresh.offers.getOrDefault("ADMITTED", 0L)),
        rate(fresh.refused()),
        rate(fresh.evicted()),
        oneDigit(fresh.total("MediumWrittenBytes") / seconds / (1 << 20)),
        targetPercent,
        oneDigit(usedPercent),
        fresh.mostly());
  }

  private String rate(long count) {
    return String.format(Locale.ROOT, "%.0f", count / seconds);
  }

  private static String oneDigit(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String format(Object... cells) {
    return String.format(Locale.ROOT, "%-8s %9s %9s %9s %9s %9s %9s %8s %8s  %s", cells)
        .stripTrailing();
  }
}
