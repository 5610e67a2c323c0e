// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.util.List;
import java.util.Locale;

/**
 * The results of shadows since they were started.
 *
 * @param sampleRatio the part of the keys that was sampled; 0 when shadows are off
 * @param lookups lookups of the whole cache in that time
 * @param hits how many of them hit
 * @param sampledLookups lookups of sampled keys that the shadows saw
 * @param droppedEvents events of sampled keys that they missed, being slower than the cache
 * @param sizes the cache's own policies at sizes from 1/8 to 8 times its own, the smallest first
 * @param candidates the other settings, in the order they were given
 * @param lru the hit ratio of plain LRU that takes every block, from 1/8 to 8 times the size
 */
public record ShadowReport(
    double sampleRatio,
    long lookups,
    long hits,
    long sampledLookups,
    long droppedEvents,
    List<Candidate> sizes,
    List<Candidate> candidates,
    List<Point> lru) {

  /** The report of shadows that are off. */
  public static final ShadowReport OFF =
      new ShadowReport(0, 0, 0, 0, 0, List.of(), List.of(), List.of());

  /** Copies the lists. */
  public ShadowReport {
    sizes = List.copyOf(sizes);
    candidates = List.copyOf(candidates);
    lru = List.copyOf(lru);
  }

  /**
   * One setting that was tried.
   *
   * @param name as it was asked for
   * @param sizeFactor its size as a multiple of the cache's
   * @param capacityBytes the size that this is for, in bytes
   * @param hitRatio hits per lookup
   * @param writesPerLookup blocks written per lookup
   * @param extraHits how many of the {@link #lookups} it would have hit beyond those that the
   *     cache's own settings would, by the same sample; may be negative
   * @param extraWrites how many more blocks it would have written; may be negative
   */
  public record Candidate(
      String name,
      double sizeFactor,
      long capacityBytes,
      double hitRatio,
      double writesPerLookup,
      long extraHits,
      long extraWrites) {

    /** Returns in words what it would save and cost. */
    public String verdict() {
      return String.format(
          Locale.ROOT,
          "%s would %s %,d hits and %s %,d writes (hits %.1f %%, %.4f writes per" + " lookup)",
          name,
          extraHits < 0 ? "cost" : "save",
          Math.abs(extraHits),
          extraWrites < 0 ? "save" : "cost",
          Math.abs(extraWrites),
          100 * hitRatio,
          writesPerLookup);
    }
  }

  /**
   * One point of a curve.
   *
   * @param sizeFactor the size as a multiple of the cache's
   * @param capacityBytes the size in bytes
   * @param hitRatio hits per lookup
   */
  public record Point(double sizeFactor, long capacityBytes, double hitRatio) {}
}
