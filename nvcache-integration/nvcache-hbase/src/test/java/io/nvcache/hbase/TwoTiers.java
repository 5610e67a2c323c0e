// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.hbase.site.TwoTierBlockCache;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.TinyLfuBlockCache;

/** HBase's cache over Caffeine, in front of another cache. */
public record TwoTiers(TinyLfuBlockCache dram, TwoTierBlockCache both) {
  public TwoTiers(BlockCache second) {
    this(new TinyLfuBlockCache(1 << 20, 4096, Runnable::run, new Configuration()), second);
  }

  private TwoTiers(TinyLfuBlockCache dram, BlockCache second) {
    this(dram, new TwoTierBlockCache(dram, second));
  }
}
