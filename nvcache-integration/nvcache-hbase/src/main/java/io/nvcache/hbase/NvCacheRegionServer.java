// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.control.RestoreReport;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A region server with NVCache below its DRAM cache: the recommended way to install it.
 *
 * <pre>{@code
 * hbase.regionserver.impl      = io.nvcache.hbase.NvCacheRegionServer
 * hbase.nvcache.capacity.bytes = ...
 * }</pre>
 *
 * <p>HBase's own ways to join an external cache to its DRAM cache have readers that wait for one
 * block all read it from the disk, offer a block below each time DRAM evicts it, and count a hit
 * below as a miss as well; {@code Topology} joins them without. The server also loads {@link
 * NvCacheRegionObserver}, and evicts the blocks of a region that it closes where they are not found
 * again after a restart, unless {@code hbase.rs.evictblocksonclose} says otherwise.
 *
 * <p>A bad setting, or a medium that can't be opened, stops the server before it opens a port, with
 * one line in its log.
 */
public class NvCacheRegionServer extends HRegionServer {
  private static final Logger LOG = LoggerFactory.getLogger(NvCacheRegionServer.class);

  /** BlockCacheFactory keeps the name to itself. */
  private static final String EXTERNAL_KEY = "hbase.blockcache.use.external";

  private final NvHBaseBlockCache secondTier;

  /** Makes a server; called by HBase. */
  public NvCacheRegionServer(Configuration configuration) throws IOException {
    this(prepared(configuration), new NvHBaseBlockCache(configuration));
  }

  private NvCacheRegionServer(Configuration configuration, NvHBaseBlockCache secondTier)
      throws IOException {
    super(configuration);
    this.secondTier = secondTier;
    try {
      install(configuration, secondTier);
      chooseEvictionOnClose(configuration, secondTier);
      secondTier.compactions().setOutputs(CompactionOutputs.of(configuration, configuration));
    } catch (RuntimeException e) {
      FromSite.refused(e);
      secondTier.shutdown();
      throw e;
    }
  }

  private static Configuration prepared(Configuration configuration) {
    try {
      refuse(configuration, HConstants.BUCKET_CACHE_IOENGINE_KEY);
      if (configuration.getBoolean(EXTERNAL_KEY, false)) {
        refuse(configuration, EXTERNAL_KEY);
      }
      CompactionOutputs.prepare(configuration);
    } catch (IllegalArgumentException e) {
      FromSite.refused(e);
      throw e;
    }
    String observers = configuration.get(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, "");
    String observer = NvCacheRegionObserver.class.getName();
    if (!observers.contains(observer)) {
      configuration.set(
          CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
          observers.isBlank() ? observer : observers + "," + observer);
    }
    return configuration;
  }

  /**
   * Has the blocks of a region that is closed evicted, unless the site says otherwise, or they are
   * found again after a restart: then the regions that were moved away for it come back.
   */
  static void chooseEvictionOnClose(Configuration configuration, NvHBaseBlockCache secondTier) {
    if (configuration.get(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY) == null) {
      configuration.setBoolean(
          CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY,
          secondTier.engine().control().restore().state() == RestoreReport.State.OFF);
    }
  }

  /** Takes over what may change while the server runs. */
  @Override
  public void onConfigurationChange(Configuration changed) {
    super.onConfigurationChange(changed);
    secondTier.onConfigurationChange(changed);
    try {
      secondTier.compactions().setOutputs(CompactionOutputs.of(changed, getConfiguration()));
    } catch (IllegalArgumentException e) {
      LOG.error("NVCache keeps its settings: {}", e.getMessage());
    }
  }

  /** Connects to the master, and has what is reported to it say which data is cold. */
  @Override
  protected synchronized @Nullable ServerName createRegionServerStatusStub(boolean refresh) {
    ServerName master = super.createRegionServerStatusStub(refresh);
    ReportToMaster.complete(this);
    return master;
  }

  private static void refuse(Configuration configuration, String key) {
    String value = configuration.get(key, "").strip();
    if (!value.isEmpty()) {
      throw new IllegalArgumentException(
          key
              + " is '"
              + value
              + "'; with hbase.regionserver.impl set to "
              + NvCacheRegionServer.class.getName()
              + " it must not be set; remove it from hbase-site.xml");
    }
  }

  /**
   * Joins the second tier to the DRAM cache that HBase has built, in the field from which HBase
   * reads, resizes, clears and shuts down its cache.
   */
  private void install(Configuration configuration, NvHBaseBlockCache secondTier) {
    BlockCache built = getBlockCache().orElse(null);
    if (!(built instanceof FirstLevelBlockCache dramTier)) {
      throw new IllegalStateException(
          "HBase has no DRAM cache to put NVCache below; hfile.block.cache.size is '"
              + configuration.get("hfile.block.cache.size")
              + "'; set it above 0");
    }
    try {
      Field field = HRegionServer.class.getDeclaredField("blockCache");
      field.setAccessible(true);
      field.set(this, NvCacheConfiguration.topology(configuration).join(dramTier, secondTier));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "This HBase keeps its block cache elsewhere than HBase 2.6 does; use"
              + " hbase.blockcache.external.class with "
              + NvHBaseBlockCache.class.getName()
              + " instead",
          e);
    }
  }
}
