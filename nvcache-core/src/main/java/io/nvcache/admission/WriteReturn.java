// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/**
 * The return on medium writes: recent hits per recent write, both forgotten by half in two
 * capacities of lookups.
 *
 * <p>A new cache is taken to have made a few writes that brought a hit each: without hits it has to
 * be filled before it can have any.
 */
final class WriteReturn {
  private static final double CAPACITIES_PER_HALF_LIFE = 2;

  /** The writes that a new cache is credited with, as a part of its capacity. */
  private static final double FIRST_WRITES = 0.5;

  /** Hits per write from which on the whole budget is worth spending; below, a part of it. */
  private static final double PAYING = 0.75;

  private static final double LEAST_PART = 0.2;

  /** Up to so many hits a write, nothing is lent; all of the loan from {@link #PAYING} on. */
  private static final double DOUBTFUL = 0.5;

  private final double decay;
  private long hitsSeen;
  private double lookups;
  private double hits;

  /** Hits observed since time passed last. */
  private double newHits;

  private double writes;
  private double firstWrites;

  WriteReturn(double capacityBlocks) {
    this.decay = Math.log(2) / (CAPACITIES_PER_HALF_LIFE * capacityBlocks);
    this.firstWrites = FIRST_WRITES * capacityBlocks;
  }

  /** Forgets, as more lookups passed: 1 or more. */
  void advance(long passed) {
    double kept = Math.exp(-decay * passed);
    // Those that passed, and the hits among them, came one after another: of the first ones as much
    // is forgotten as of what was before, of the last one nothing.
    double remembered = (1 - kept) / decay;
    lookups = lookups * kept + remembered;
    hits = hits * kept + newHits * remembered / passed;
    newHits = 0;
    writes *= kept;
    firstWrites *= kept;
  }

  void observe(long hitsSoFar) {
    if (hitsSoFar > hitsSeen) {
      newHits += hitsSoFar - hitsSeen;
      hitsSeen = hitsSoFar;
    }
  }

  void written(double size) {
    writes = Math.max(0, writes + size);
  }

  /**
   * Notes a write that no lookup asked for. What it brings says nothing of those that lookups ask
   * for, so a hit is put next to it, and both fade together.
   */
  void filled(double size) {
    writes = Math.max(0, writes + size);
    hits = Math.max(0, hits + size);
  }

  /** Returns the part of the budget that is worth spending. */
  double worthwhile() {
    return Math.max(LEAST_PART, Math.min(1, hitsPerWrite() / PAYING));
  }

  /** Returns the part of the loan that is worth lending. */
  double trust() {
    return Math.max(0, Math.min(1, (hitsPerWrite() - DOUBTFUL) / (PAYING - DOUBTFUL)));
  }

  /**
   * Returns recent writes per lookup, and changes nothing: who reads statistics must not change
   * what is admitted.
   *
   * @param passed lookups since time passed last
   */
  double writesPerLookup(long passed) {
    double kept = Math.exp(-decay * passed);
    double remembered = lookups * kept + (1 - kept) / decay;
    return remembered == 0 ? 0 : Math.min(writes * kept / remembered, 1);
  }

  private double hitsPerWrite() {
    double all = writes + firstWrites;
    return all > 0 ? (hits + newHits + firstWrites) / all : PAYING;
  }
}
