// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.admission.Traffic;

/**
 * Turns the counts of a miniature into counts of a whole cache.
 *
 * <p>The sample may have more or less than its share of the few hottest keys, which shifts the hits
 * of all miniatures alike. SHARDS takes lookups that are missing in the sample for hits of the
 * hottest keys (its adjustment). The miniature of the cache's own settings allows more: what it
 * misjudges of the cache itself is known, and is taken off all others, as a control variate. A
 * miniature that misses less has less to be wrong about: of a larger size, which may miss nothing,
 * only the same part of its misses is corrected.
 *
 * @param ratio the sample
 * @param lookups the cache's lookups since the start
 * @param hits those that hit
 * @param own what the miniature of the cache's own settings counted
 */
record ShadowScale(double ratio, long lookups, long hits, Traffic own) {
  /** SHARDS' adjustment: lookups missing in the sample were hits of hot keys. */
  double sampledRatio(long sampledHits, long sampledLookups) {
    double expected = lookups * ratio;
    double adjusted = sampledHits + expected - sampledLookups;
    return expected < 1 ? 0 : clamp(adjusted / expected);
  }

  double hitRatio(Traffic counts) {
    double ownRatio = ratioOf(own);
    double ratio = ratioOf(counts);
    double error = lookups == 0 ? 0 : ownRatio - (double) hits / lookups;
    double part = ratio <= ownRatio ? 1 : (1 - ratio) / (1 - ownRatio);
    return clamp(ratio - error * part);
  }

  private double ratioOf(Traffic counts) {
    return sampledRatio(counts.hits(), counts.lookups());
  }

  double writesPerLookup(Traffic counts) {
    double expected = lookups * ratio;
    return expected < 1 ? 0 : counts.insertedBlocks() / expected;
  }

  long extraHits(Traffic counts) {
    return Math.round((hitRatio(counts) - hitRatio(own)) * lookups);
  }

  long extraWrites(Traffic counts) {
    return Math.round((writesPerLookup(counts) - writesPerLookup(own)) * lookups);
  }

  private static double clamp(double share) {
    return Math.max(0, Math.min(1, share));
  }
}
