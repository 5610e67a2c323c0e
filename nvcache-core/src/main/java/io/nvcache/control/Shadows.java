// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.util.List;

/**
 * Predictions of what other sizes and policies would do with the very stream of lookups and offers
 * that the cache sees: miniature caches fed with a sample of the keys, without any bytes.
 *
 * <p>Keys are chosen by their hash, so that a chosen block is seen with all its lookups; a cache of
 * 0.1 % of the size on 0.1 % of the keys then hits as often as the whole (C. Waldspurger et al.,
 * "Efficient MRC Construction with SHARDS", FAST 2015, and "Cache Modeling and Optimization using
 * Miniature Simulations", ATC 2017). Each miniature runs the real code of its policies.
 * docs/run/tune.md says how to read them, and how far they err. Thread-safe.
 */
public interface Shadows {
  /** Returns the part of the keys that is sampled, as a ratio; 0 when shadows are off. */
  double sampleRatio();

  /**
   * Starts again with another sample, or ends.
   *
   * @param ratio 0 (off), or 0.00001 to 0.5
   * @throws IllegalArgumentException if the ratio is out of range, or the cache's own policies
   *     can't be made a second time; nothing changes
   */
  void setSampleRatio(double ratio);

  /**
   * Starts again with a sample whose ratio the cache chooses from its capacity, which suits most.
   *
   * @throws IllegalArgumentException if the cache's own policies can't be made a second time;
   *     nothing changes
   */
  void chooseSampleRatio();

  /** Returns the candidates in addition to the cache's own policies at several sizes. */
  List<String> candidates();

  /**
   * Starts again with other candidates, at most {@link #MAX_CANDIDATES}, each in the form {@code
   * POLICY[@PERCENT%][*FACTOR]}: {@code live} for the cache's own policies or the label of a {@link
   * io.nvcache.PolicyPreset}; the overhead target, if it is not the live one; and the size, as a
   * multiple of the cache's. {@code live@20%}, {@code paper*2}, {@code admit-all@5%*0.5}.
   *
   * @throws IllegalArgumentException if one has another form, is null or there twice, or if there
   *     are too many; nothing changes
   */
  void setCandidates(List<String> specs);

  /** The most candidates. */
  int MAX_CANDIDATES = 8;

  /** Returns what was found since the last start. */
  ShadowReport report();

  /** Starts again: empty miniatures, counts at zero. */
  void reset();

  /** The shadows of a cache that keeps none. */
  Shadows NONE = NoShadows.INSTANCE;
}
