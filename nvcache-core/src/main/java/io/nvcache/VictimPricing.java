// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/**
 * A contract between an eviction policy and an admission policy: whether the block that would be
 * evicted is worth less than the candidate.
 *
 * <p>An eviction policy that can price its blocks implements this next to its own interface, and
 * the engine hands it to admission; others are {@link #UNPRICED}. Worth is counted in parts of a
 * lookup that found the block lately. Thread-safe; no method waits, and none is called on the hit
 * path.
 */
@FunctionalInterface
public interface VictimPricing {
  /** The worth of one recent lookup. */
  int LOOKUP_WORTH = 16;

  /** What {@link #priceNextVictim} says when no block needs to be evicted, or none has a price. */
  int NO_PRICE = -1;

  /** Knows nothing of its blocks. */
  VictimPricing UNPRICED = () -> NO_PRICE;

  /**
   * Chooses the block that is evicted next, and returns its worth, ≥ 0; {@link #NO_PRICE} while
   * there is room. Called once for each candidate: a policy that samples draws again.
   */
  int priceNextVictim();

  /**
   * Returns how often blocks that are evicted would be looked up in two capacities of lookups if
   * they stayed, as a few of them showed; infinite if it is not known.
   */
  default double victimForecast() {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Returns the worth of the least of a few blocks, even where regions are emptied as a whole, and
   * even while there is room; {@link #NO_PRICE} if it is not known.
   */
  default int leastWorth() {
    return NO_PRICE;
  }

  /**
   * Tells the time, which lets worths fade.
   *
   * @param lookups lookups of the cache so far; an earlier time than one given before is ignored
   */
  default void advance(long lookups) {}

  /**
   * Tells what the next block to be put in is worth. A hint: when threads put blocks in at the same
   * moment, one may get the worth of another.
   */
  default void expect(int worth) {}
}
