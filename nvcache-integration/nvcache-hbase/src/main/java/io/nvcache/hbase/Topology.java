// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;

/** Which blocks go where when NVCache stands below one of HBase's own DRAM caches. */
enum Topology {
  /** Data blocks below, index and Bloom blocks in DRAM: as with BucketCache. */
  COMBINED {
    @Override
    CombinedBlockCache join(FirstLevelBlockCache dramTier, BlockCache secondTier) {
      return new SplitBlockCache(dramTier, secondTier);
    }
  },

  /** All blocks in DRAM, and below what the second tier admits. */
  TIERED {
    @Override
    CombinedBlockCache join(FirstLevelBlockCache dramTier, BlockCache secondTier) {
      return new TwoTierBlockCache(dramTier, secondTier);
    }
  };

  abstract CombinedBlockCache join(FirstLevelBlockCache dramTier, BlockCache secondTier);
}
