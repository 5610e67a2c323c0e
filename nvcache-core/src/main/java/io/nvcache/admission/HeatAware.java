// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/**
 * An admission policy that follows the heat of blocks through {@linkplain io.nvcache.Rewrite
 * rewrites} of their files. A policy implements this next to {@link AdmissionPolicy} if it counts
 * lookups; others see only the {@linkplain Candidate#isExpected candidates} of rewrites. Called by
 * the same rules as that interface.
 */
public interface HeatAware {
  /** Counts no lookups. */
  HeatAware NONE =
      new HeatAware() {
        @Override
        public void prime(long fileId, long offset, double recentLookups) {}

        @Override
        public void reserve(double recentLookups, long bytes) {}

        @Override
        public double recentMisses(long fileId, long offset) {
          return 0;
        }
      };

  /** Returns the policy as one that follows heat; {@link #NONE} if it does not. */
  static HeatAware of(AdmissionPolicy policy) {
    return policy instanceof HeatAware aware ? aware : NONE;
  }

  /**
   * Takes note of an output block of a rewrite that is not cached and may be offered later: of how
   * many recent lookups it is expected to be worth. So it need not earn them once more.
   *
   * @param recentLookups as in {@link Candidate#recentLookups}
   */
  void prime(long fileId, long offset, double recentLookups);

  /**
   * Reserves free room that the inputs of rewrites left: blocks of their outputs come now that are
   * worth at least so many recent lookups each, and one that is worth less is not to take their
   * room. Replaces an earlier reserve.
   *
   * @param bytes of the blocks that are yet to come; 0 when no more of them come
   */
  void reserve(double recentLookups, long bytes);

  /** Returns about how many lookups missed a block lately. Changes nothing. */
  double recentMisses(long fileId, long offset);
}
