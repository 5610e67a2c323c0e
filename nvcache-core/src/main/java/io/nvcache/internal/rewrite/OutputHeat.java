// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

/**
 * Tells the heat of outputs from what is known of their keys, and from the heat of the inputs for
 * the part of it that the keys do not account for: lookups of blocks by scans, say, or all of them
 * where the store counts no keys. For one thread.
 *
 * <p>What keys account for is averaged over the last outputs, not over all. Keys are counted
 * whichever tier serves them, blocks only below the DRAM tier: the few keys that are looked up most
 * outnumber the lookups of all blocks, and would account for the heat of parts of the files that
 * have none of them.
 */
final class OutputHeat {
  /**
   * So many outputs are averaged. An input block is spread over a few, as many as files are merged:
   * its hot key and its other shares are in the same average.
   */
  static final int AVERAGED = 32;

  /**
   * Where keys are counted, a share that none accounts for is of keys that are too rare to be
   * counted: it is worth half as much as lookups of counted keys. Whole, it made a cache write a
   * third more after a compaction than without heat, and half as many hits were lost
   * (docs/evidence/hbase.md has the bench).
   */
  static final double UNCOUNTED = 0.5;

  private double lookups;
  private double spread;
  private boolean hasKeys;

  /**
   * Returns the heat of an output.
   *
   * @param spreadHeat what {@link HeatSpread} gives it
   * @param keyLookups the recent lookups of its keys, as far as they are known
   */
  double heat(double spreadHeat, double keyLookups) {
    lookups += (keyLookups - lookups) / AVERAGED;
    spread += (spreadHeat - spread) / AVERAGED;
    hasKeys |= keyLookups > 0;
    return keyLookups + (hasKeys ? UNCOUNTED : 1) * unaccounted() * spreadHeat;
  }

  /** The part of the inputs' heat hereabouts that is not of known keys. */
  private double unaccounted() {
    return spread <= lookups ? 0 : 1 - lookups / spread;
  }

  static void check(long fileId, long offset, double keyLookups) {
    if (!(keyLookups >= 0) || keyLookups == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "keyLookups is "
              + keyLookups
              + " for the block at "
              + offset
              + " of file "
              + fileId
              + "; give a sum of lookups, 0 if none is known");
    }
  }
}
