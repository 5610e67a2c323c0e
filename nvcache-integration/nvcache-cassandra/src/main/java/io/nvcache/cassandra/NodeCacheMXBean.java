// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import java.util.Map;

/**
 * The cache of a node over JMX, as {@code org.apache.cassandra.db:type=NVCache}. Thresholds are on
 * the bean of the cache itself, {@code org.apache.cassandra.db:type=NvCache,name=cassandra}.
 */
public interface NodeCacheMXBean {
  /**
   * Returns WAITING, STARTING, SERVING, PAUSED or REFUSED; instead of SERVING also BYPASSING, when
   * nothing that was offered has been admitted for some seconds, or OUT_OF_SERVICE.
   */
  String getState();

  /** Returns why the cache is REFUSED, BYPASSING or OUT_OF_SERVICE; empty otherwise. */
  String getProblem();

  /** Returns whether reads are looked up in the cache. */
  boolean isServing();

  /**
   * Sends all reads to the files, or serves them again. Cached blocks stay valid in between.
   *
   * @throws IllegalStateException if the cache is not built
   */
  void setServing(boolean serving);

  /**
   * Returns the number of data files that are open, also of excluded tables: the small bypass asks
   * for the length of all data. Files that are opened early are not among them.
   */
  int getFiles();

  /**
   * Returns how many chunks compaction, validation, scrub, cleanup and index builds read from the
   * cache. They do not count as lookups; those that were not cached are among the {@linkplain
   * #getBypasses bypasses}.
   */
  long getCompactionHits();

  /** Returns whether the hot chunks of what compactions write are cached. */
  boolean isCompactionHeat();

  /**
   * Turns that off, at once, or on again, from the next compaction on.
   *
   * @throws IllegalStateException if it can't be turned on; see {@link #getCompactionHeatProblem}
   */
  void setCompactionHeat(boolean on);

  /** Returns why the heat of compactions can't be followed on this node; empty if it can. */
  String getCompactionHeatProblem();

  /** Returns what went past the cache since the start of the node, by reason. */
  Map<String, Long> getBypasses();
}
