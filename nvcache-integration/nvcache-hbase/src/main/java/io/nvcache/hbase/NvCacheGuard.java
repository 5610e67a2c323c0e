// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a region server that is configured to use NVCache and does not: HBase continues without a
 * second level, with a warning at best, when it can't build an external cache.
 *
 * <pre>{@code
 * hbase.coprocessor.regionserver.classes = io.nvcache.hbase.NvCacheGuard
 * }</pre>
 */
@CoreCoprocessor
public final class NvCacheGuard implements RegionServerCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(NvCacheGuard.class);

  @Override
  @SuppressWarnings({"deprecation", "rawtypes"}) // HBase declares it so; its own have no other way.
  public void start(CoprocessorEnvironment environment) throws IOException {
    Optional<NvHBaseBlockCache> cache =
        environment instanceof HasRegionServerServices server
            ? find(server.getRegionServerServices())
            : Optional.empty();
    if (cache.isEmpty()) {
      String reason = FromSite.lastFailure();
      String line =
          "This region server runs without NVCache: "
              + (reason.isEmpty()
                  ? "neither hbase.blockcache.use.external with hbase.blockcache.external.class"
                      + " nor hbase.regionserver.impl names it"
                  : reason);
      LOG.error(line);
      throw new IOException(line);
    }
  }

  private static Optional<NvHBaseBlockCache> find(RegionServerServices services) {
    return services.getBlockCache().flatMap(NvHBaseBlockCache::in);
  }
}
