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
 * @param windows what happened in each hundredth of the lookups, in order
 */
public record ReplayResult(double removalWeight, CacheStats end, List<Window> windows) {
  private static final int SEGMENTS = 20;

  /** A part of a replay. */
  public record Window(long lookups, long hits, double writes) {
    /** Hits per lookup. */
    public double hitRatio() {
      return lookups == 0 ? 0 : (double) hits / lookups;
    }

    private Window plus(Window other) {
      return new Window(lookups + other.lookups, hits + other.hits, writes + other.writes);
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
    Window half = new Window(0, 0, 0);
    for (Window window : windows.subList(windows.size() / 2, windows.size())) {
      half = half.plus(window);
    }
    return half.hitRatio();
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
      Window sum = new Window(0, 0, 0);
      for (Window window : windows.subList(from, from + length)) {
        sum = sum.plus(window);
      }
      segments.add(sum);
    }
    return segments;
  }

  static double writes(CacheStats stats, double removalWeight) {
    return stats.offers(OfferResult.ADMITTED) + removalWeight * removed(stats);
  }

  private static long removed(CacheStats stats) {
    return stats.evictions() + stats.displacements() + stats.rebalancings() + stats.invalidations();
  }
}
