// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.load;

import io.nvcache.trace.Zipfian;

/** Which pages are asked for. */
public enum KeyDistribution {
  /** All alike: the in-house loads. */
  UNIFORM {
    @Override
    public Pages over(int loadedPages) {
      return (uniform, pages) -> (int) (uniform * pages);
    }
  },

  /**
   * WiredTiger's {@code pareto=20}, with which the paper's YCSB configurations draw: x = 0.1 ·
   * (U^(−2/3) − 1) of the way through the keys, which are not scrambled; beyond the last is the
   * first.
   */
  PARETO {
    @Override
    public Pages over(int loadedPages) {
      return (uniform, pages) -> {
        double part = 0.1 * (StrictMath.pow(1 - uniform, -2.0 / 3) - 1);
        return part >= 1 ? 0 : (int) (part * pages);
      };
    }
  },

  /** The newest most, as √U of the way through the keys. */
  LATEST {
    @Override
    public Pages over(int loadedPages) {
      return (uniform, pages) -> (int) (Math.sqrt(uniform) * pages);
    }
  },

  /**
   * YCSB's zipfian over records, which hashing strews over the pages that were loaded; were it over
   * those that there are, each insert would make other records popular.
   */
  ZIPFIAN {
    @Override
    public Pages over(int loadedPages) {
      Zipfian records = new Zipfian((long) loadedPages * RECORDS_PER_PAGE);
      return (uniform, pages) ->
          (int) Long.remainderUnsigned(mix(records.rank(uniform)), loadedPages);
    }
  };

  private static final int RECORDS_PER_PAGE = 28;

  /** Draws pages of a file. */
  @FunctionalInterface
  public interface Pages {
    /**
     * The page that a uniform draw means.
     *
     * @param uniform at least 0 and below 1
     * @param pages that there are by now
     */
    int page(double uniform, int pages);
  }

  /** The distribution over a file that so many pages were loaded into. */
  public abstract Pages over(int loadedPages);

  private static long mix(long value) {
    long mixed = (value + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
