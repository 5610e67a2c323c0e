// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import io.nvcache.medium.Durability;

/** The way in which the log's bytes become durable. */
public enum Persistence {
  /**
   * Persistent memory, mapped with {@code MAP_SYNC} on a DAX file system: cache lines are written
   * back, and fenced. Survives a loss of power.
   */
  SYNC_MAPPING(Durability.POWER_FAIL),

  /**
   * Persistent memory, mapped as by {@link #SYNC_MAPPING}, and written back by PMDK's libpmem,
   * which needs {@code nvcache-llpl} and LLPL next to this module. libpmem knows the processor, and
   * only fences where its caches outlive a loss of power. Of a file that is not on persistent
   * memory the bytes survive the end of the process.
   */
  PMDK(Durability.POWER_FAIL),

  /**
   * A file on a disk, synced by {@code msync} at each append. Survives a loss of power as the disk
   * does, and is as slow as a sync of it.
   */
  MSYNC(Durability.POWER_FAIL),

  /** A file in the page cache. Survives the end of the process, not a loss of power. */
  PAGE_CACHE(Durability.PROCESS_CRASH),

  /**
   * A substitute for persistent memory, to measure and to try: any file, whose cache lines are
   * written back as on persistent memory. It behaves as if it survived a loss of power, and does
   * not. Never for data.
   */
  EMULATED(Durability.POWER_FAIL);

  private final Durability grade;

  Persistence(Durability grade) {
    this.grade = grade;
  }

  /**
   * Returns what the log's bytes survive at best, on the memory or disk that it is for; of {@link
   * #EMULATED}, what it plays.
   */
  public Durability grade() {
    return grade;
  }
}
