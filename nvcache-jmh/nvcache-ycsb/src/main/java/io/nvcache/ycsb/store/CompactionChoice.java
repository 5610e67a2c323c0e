// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.util.List;

/**
 * Size-tiered choice, as in HBase and other LSM trees: once too many runs overlap, the newest two
 * are merged, and with them each older run that is not much longer than what is merged already.
 */
final class CompactionChoice {
  /** HBase's hbase.hstore.compaction.ratio. */
  private static final double RATIO = 1.2;

  private CompactionChoice() {}

  /**
   * How many runs to merge.
   *
   * @param runBytes lengths of the runs, the newest first
   * @param maxRuns how many may be
   * @return 0, or how many of the newest runs to merge, at least 2
   */
  static int newestRuns(List<Long> runBytes, int maxRuns) {
    if (runBytes.size() <= maxRuns) {
      return 0;
    }
    int chosen = 2;
    long bytes = runBytes.get(0) + runBytes.get(1);
    while (chosen < runBytes.size() && runBytes.get(chosen) <= RATIO * bytes) {
      bytes += runBytes.get(chosen++);
    }
    return chosen;
  }
}
