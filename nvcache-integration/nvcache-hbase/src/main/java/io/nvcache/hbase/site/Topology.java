// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;

/** Which blocks go where when NVCache is below one of HBase's own DRAM caches. */
public enum Topology {
  /** Data blocks below, index and Bloom blocks in DRAM: as with BucketCache. */
  COMBINED {
    @Override
    public CombinedBlockCache join(FirstLevelBlockCache dramTier, BlockCache secondTier) {
      return new NvCacheSplitBlockCache(dramTier, secondTier);
    }
  },

  /** All blocks in DRAM, and below what the second tier admits. */
  TIERED {
    @Override
    public CombinedBlockCache join(FirstLevelBlockCache dramTier, BlockCache secondTier) {
      return new TwoTierBlockCache(dramTier, secondTier);
    }
  };

  /** BlockCacheFactory keeps the name to itself. */
  private static final String EXTERNAL_KEY = "hbase.blockcache.use.external";

  private static final String INDEX_ONLY = "IndexOnlyLRU";

  /**
   * Returns whether a data block that is not taken below is in no cache at all. So it is but where
   * {@link #TIERED} puts data blocks into DRAM as well: HBase's own way to join an external cache
   * copies those to DRAM that it found below, and no others.
   */
  static boolean isOnlyDataCache(Configuration configuration) {
    return isExternal(configuration)
        || isIndexOnly(configuration)
        || NvCacheConfiguration.topology(configuration) == COMBINED;
  }

  /** Says in words which blocks go where. */
  static String describe(Configuration configuration) {
    return isExternal(configuration)
        ? "external cache"
        : "topology "
            + NvCacheConfiguration.topology(configuration).name().toLowerCase(Locale.ROOT);
  }

  private static boolean isExternal(Configuration configuration) {
    return configuration.getBoolean(EXTERNAL_KEY, false);
  }

  private static boolean isIndexOnly(Configuration configuration) {
    return INDEX_ONLY.equalsIgnoreCase(
        configuration.getTrimmed(BlockCacheFactory.BLOCKCACHE_POLICY_KEY));
  }

  public abstract CombinedBlockCache join(FirstLevelBlockCache dramTier, BlockCache secondTier);
}
