// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

/**
 * Tells the heat of outputs from what is known of their keys, and from the heat of the inputs for
 * the part of it that the keys do not account for: lookups of blocks by scans, say, or all of them
 * where the store counts no keys. For one thread.
 */
final class KnownKeys {
  private double lookups;
  private double spread;

  /**
   * Returns the heat of an output.
   *
   * @param spreadHeat what {@link HeatSpread} gives it
   * @param keyLookups the recent lookups of its keys, as far as they are known
   */
  double heat(double spreadHeat, double keyLookups) {
    lookups += keyLookups;
    spread += spreadHeat;
    return keyLookups + unaccounted() * spreadHeat;
  }

  /** The part of the inputs' heat that is not of known keys. */
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
