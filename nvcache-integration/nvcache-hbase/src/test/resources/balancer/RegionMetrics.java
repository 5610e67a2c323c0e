// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase;

/** What the balancer of HBase 2.6.6 asks of a region; the interface itself is on no registry. */
public interface RegionMetrics {
  long getReadRequestCount();

  long getWriteRequestCount();

  Size getMemStoreSize();

  Size getStoreFileSize();

  Size getRegionSizeMB();

  float getCurrentRegionCachedRatio();

  float getCurrentRegionColdDataRatio();
}
