// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.OfferResult;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The blocks that were offered in a span of time and not taken, by reason. Blocks that were cached
 * already, and offers to a closed cache, do not count.
 */
public final class RefusedOffers {
  /** A span without refusals. */
  public static final RefusedOffers NONE = new RefusedOffers(Map.of());

  private final Map<OfferResult, Long> counts;

  private RefusedOffers(Map<OfferResult, Long> counts) {
    this.counts = counts;
  }

  /**
   * Returns what was refused between two snapshots of {@link io.nvcache.CacheStats#offers}.
   *
   * @param before the earlier one; an outcome that it lacks counts as 0
   */
  public static RefusedOffers between(Map<OfferResult, Long> before, Map<OfferResult, Long> after) {
    Map<OfferResult, Long> fresh = new EnumMap<>(OfferResult.class);
    after.forEach(
        (result, count) -> {
          long grown = count - before.getOrDefault(result, 0L);
          if (grown > 0 && isRefusal(result)) {
            fresh.put(result, grown);
          }
        });
    return new RefusedOffers(fresh);
  }

  private static boolean isRefusal(OfferResult result) {
    return switch (result) {
      case ADMITTED, ALREADY_CACHED, CLOSED -> false;
      default -> true;
    };
  }

  /** Returns the refusals of both spans. */
  public RefusedOffers and(RefusedOffers other) {
    Map<OfferResult, Long> sum = new EnumMap<>(OfferResult.class);
    sum.putAll(counts);
    other.counts.forEach((result, count) -> sum.merge(result, count, Long::sum));
    return new RefusedOffers(sum);
  }

  /** Returns the refusals for all reasons but this one. */
  public RefusedOffers without(OfferResult reason) {
    Map<OfferResult, Long> rest = new EnumMap<>(OfferResult.class);
    rest.putAll(counts);
    rest.remove(reason);
    return new RefusedOffers(rest);
  }

  /** Returns how many blocks were refused, for whatever reason. */
  public long sum() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the most common reason; empty if nothing was refused. */
  public Optional<OfferResult> commonest() {
    return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /** Returns how many blocks were refused for a reason. */
  public long of(OfferResult reason) {
    return counts.getOrDefault(reason, 0L);
  }

  /** Returns the name of a reason in the log and among the meters. */
  public static String name(OfferResult reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the reasons with their counts, the most common first. */
  @Override
  public String toString() {
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(entry -> name(entry.getKey()) + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
