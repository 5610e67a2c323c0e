// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import java.util.Map;

/**
 * What is known of the heat of compactions beyond the ledger of the cache, over JMX as {@code
 * Hadoop:service=HBase,name=RegionServer,sub=NvCacheHeat,cache=NAME}. All counts are since the
 * cache was made.
 */
public interface CompactionHeatMXBean {
  /** Returns the compactions whose hot blocks were not cached, by reason. */
  Map<String, Long> getDrops();
}
