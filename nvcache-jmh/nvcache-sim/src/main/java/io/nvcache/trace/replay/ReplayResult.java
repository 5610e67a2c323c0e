// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of one replay.
 *
 * @param removalWeight medium writes that a removal counts for
 * @param end the cache's counts at the end
 * @param writtenAtFirst blocks that were written at their first lookup
 * @param windows what happened in each hundredth of the lookups, in order
 */
public record ReplayResult(
    double removalWeight, CacheStats end, long writtenAtFirst, List<Window> windows) {
  private static final int SEGMENTS = 20;

  /**
   * A part of a replay.
   *
   * @param fetchedBytes of lookups that missed
   * @param requests that brought them
   */
  public record Window(long lookups, long hits, double writes, long fetchedBytes, long requests) {
    /** Hits per lookup. */
    public double hitRatio() {
      return lookups == 0 ? 0 : (double) hits / lookups;
    }

    private Window plus(Window other) {
      return new Window(
          lookups + other.lookups,
          hits + other.hits,
          writes + other.writes,
          fetchedBytes + other.fetchedBytes,
          requests + other.requests);
    }

    private double per(long count) {
      return lookups == 0 ? 0 : (double) count / lookups;
    }

    /** Medium writes per lookup. */
    public double writesPerLookup() {
      return lookups == 0 ? 0 : writes / lookups;
    }
  }

  /** Copies the list. */
  public ReplayResult {
    windows = List.copyOf(windows);
  }

  /** Blocks inserted and, by their weight, removed, per lookup. */
  public double writesPerLookup() {
    return end.lookups() == 0 ? 0 : writes(end, removalWeight) / end.lookups();
  }

  /** The same as the hit ratio, of the second half of the lookups: without the warm-up. */
  public double secondHalfHitRatio() {
    return sum(windows.subList(windows.size() / 2, windows.size())).hitRatio();
  }

  /** The most that any hundredth of the lookups saw of that. */
  public double peakWindowWritesPerLookup() {
    return windows.stream().mapToDouble(Window::writesPerLookup).max().orElse(0);
  }

  /** Blocks evicted or invalidated, for whatever reason. */
  public long removedBlocks() {
    return removed(end);
  }

  /** What happened in each twentieth of the lookups, in order. */
  public List<Window> segments() {
    List<Window> segments = new ArrayList<>();
    int length = Math.max(1, windows.size() / SEGMENTS);
    for (int from = 0; from + length <= windows.size(); from += length) {
      segments.add(sum(windows.subList(from, from + length)));
    }
    return segments;
  }

  private static Window sum(List<Window> windows) {
    return windows.stream().reduce(new Window(0, 0, 0, 0, 0), Window::plus);
  }

  /** Bytes that the backend was asked for, per lookup. */
  public double fetchedBytesPerLookup() {
    return sum(windows).per(sum(windows).fetchedBytes);
  }

  /** Requests to the backend per lookup: one for neighbouring blocks missed in a row. */
  public double requestsPerLookup() {
    return sum(windows).per(sum(windows).requests);
  }

  /** The most bytes per lookup that any hundredth of the lookups asked the backend for. */
  public double peakFetchedBytesPerLookup() {
    return windows.stream().mapToDouble(w -> w.per(w.fetchedBytes)).max().orElse(0);
  }

  /** The same of requests. */
  public double peakRequestsPerLookup() {
    return windows.stream().mapToDouble(w -> w.per(w.requests)).max().orElse(0);
  }

  /** Lookups that hit for each block written. */
  public double hitsPerWrite() {
    long written = end.offers(OfferResult.ADMITTED);
    return written == 0 ? 0 : (double) end.hits() / written;
  }

  /** The part of the blocks written that were written at their first lookup. */
  public double writtenAtFirstRatio() {
    long written = end.offers(OfferResult.ADMITTED);
    return written == 0 ? 0 : (double) writtenAtFirst / written;
  }

  /**
   * Writes per lookup as they count at equal writes: the medium's bytes, of reinsertions too, in
   * blocks of the mean length; and removals by their weight.
   */
  double budgetSpent(double meanBlockBytes) {
    return end.lookups() == 0
        ? 0
        : (end.mediumWrittenBytes() / meanBlockBytes + removalWeight * removed(end))
            / end.lookups();
  }

  static double writes(CacheStats stats, double removalWeight) {
    return stats.offers(OfferResult.ADMITTED) + removalWeight * removed(stats);
  }

  private static long removed(CacheStats stats) {
    return stats.evictions() + stats.displacements() + stats.rebalancings() + stats.invalidations();
  }
}
