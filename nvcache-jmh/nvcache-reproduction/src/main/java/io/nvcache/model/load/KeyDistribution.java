// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

/** Which pages are asked for. */
public enum KeyDistribution {
  /** All alike: the in-house loads. */
  UNIFORM {
    @Override
    public int page(double uniform, int pages) {
      return (int) (uniform * pages);
    }
  },

  /**
   * WiredTiger's {@code pareto=20}, with which the paper's YCSB configurations draw: x = 0.1 ·
   * (U^(−2/3) − 1) of the way through the keys, which are not scrambled; beyond the last is the
   * first.
   */
  PARETO {
    @Override
    public int page(double uniform, int pages) {
      double part = 0.1 * (StrictMath.pow(1 - uniform, -2.0 / 3) - 1);
      return part >= 1 ? 0 : (int) (part * pages);
    }
  },

  /** The newest most, as √U of the way through the keys. */
  LATEST {
    @Override
    public int page(double uniform, int pages) {
      return (int) (Math.sqrt(uniform) * pages);
    }
  };

  /**
   * The page that a uniform draw means.
   *
   * @param uniform at least 0 and below 1
   * @param pages that there are by now
   */
  public abstract int page(double uniform, int pages);
}
