// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.hbase.site.NvCacheConfiguration;
import io.nvcache.hbase.site.Topology;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;

/** What becomes of the data blocks that compactions write and HBase offers. */
public enum CompactionOutputs {
  /** They are offered as blocks of a compaction: the host asked for that itself. */
  OFFER,
  /** They are noted, and the hottest of them are cached around the commit. */
  CARRY,
  /** They are left out: HBase offers them only so that they can be noted, which is off now. */
  LEAVE_OUT;

  /** Set where NVCache, and not the operator, had HBase offer them. */
  private static final String ASKED_FOR = "io.nvcache.hbase.outputs.asked";

  /**
   * Has HBase offer what compactions write if their heat is or may be carried; called before HBase
   * reads the configuration. A value that the operator set stays. Where data blocks go to DRAM,
   * too, HBase is not asked: all that a compaction writes would go there.
   */
  public static void prepare(Configuration configuration) {
    if (configuration.get(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY) == null
        && NvCacheConfiguration.topology(configuration) == Topology.COMBINED
        && NvCacheConfiguration.mayCarryHeat(configuration)) {
      configuration.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, true);
      configuration.setBoolean(ASKED_FOR, true);
    }
  }

  /** Returns what a configuration asks for, given how the server was prepared. */
  public static CompactionOutputs of(Configuration configuration, Configuration prepared) {
    if (!prepared.getBoolean(ASKED_FOR, false)) {
      return OFFER;
    }
    return NvCacheConfiguration.carriesHeat(configuration) ? CARRY : LEAVE_OUT;
  }
}
