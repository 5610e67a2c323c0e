// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase;

import java.util.Map;

/** What the balancer of HBase 2.6.6 asks of a server; the interface itself is on no registry. */
public interface ServerMetrics {
  Map<byte[], RegionMetrics> getRegionMetrics();

  Map<String, Integer> getRegionCachedInfo();

  Map<String, Integer> getRegionColdDataSize();

  long getCacheFreeSize();
}
