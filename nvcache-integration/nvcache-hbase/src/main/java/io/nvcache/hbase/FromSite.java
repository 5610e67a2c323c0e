// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.site.NvCacheConfiguration;
import io.nvcache.host.IntervalSummary;
import io.nvcache.host.PeriodicLine;
import io.nvcache.jmx.MBeanDomain;
import io.nvcache.jmx.NvCacheMBeanRegistration;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache, its codec and its MBean as {@code hbase-site.xml} wants them.
 *
 * @param cache the engine
 * @param payload lays blocks out
 * @param bean shows the engine over JMX until it is closed
 * @param beanName by which it does
 * @param site the settings
 */
public record FromSite(
    BlockCache cache,
    BlockPayload payload,
    AutoCloseable bean,
    String beanName,
    Configuration site) {
  private static final Logger LOG = LoggerFactory.getLogger(FromSite.class);

  /** Several region servers may run in one JVM, in tests and in local mode. */
  private static final int MAX_NAMESAKES = 100;

  private static volatile String lastFailure = "";

  /** Why a cache could not be built, to tell the caller that finds none; or nothing. */
  public static String lastFailure() {
    return lastFailure;
  }

  /** Builds; what goes wrong is logged in one line before it is thrown. */
  static FromSite build(Configuration configuration) {
    try {
      BlockPayload payload = NvCacheConfiguration.payload(configuration);
      String name = NvCacheConfiguration.mbeanName(configuration);
      Duration summaries = NvCacheConfiguration.summaryInterval(configuration);
      BlockCache cache = NvCacheConfiguration.build(configuration);
      LOG.info("NVCache caches {}", NvCacheConfiguration.describe(configuration, cache));
      if (!summaries.isZero()) {
        IntervalSummary summary = new IntervalSummary(cache);
        cache.control().addCompanion(PeriodicLine.start(summary::next, LOG::info, summaries));
      }
      return register(cache, name, payload, configuration);
    } catch (RuntimeException | Error e) { // Memory refused, a jar missing.
      refused(e);
      throw e;
    }
  }

  /** Logs in one line why the cache can't be used. */
  static void refused(Throwable e) {
    lastFailure =
        e instanceof RuntimeException && e.getMessage() != null ? e.getMessage() : e.toString();
    LOG.error("NVCache can't be used: {}", lastFailure);
  }

  private static FromSite register(
      BlockCache cache, String name, BlockPayload payload, Configuration site) {
    for (int i = 1; i <= MAX_NAMESAKES; i++) {
      String free = i == 1 ? name : name + "-" + i;
      try {
        return new FromSite(
            cache,
            payload,
            NvCacheMBeanRegistration.register(cache, MBeanDomain.HBASE, free),
            free,
            site);
      } catch (IllegalStateException e) {
        LOG.debug("The name {} is taken in JMX", name, e);
      }
    }
    LOG.warn("NVCache is not shown over JMX: {} caches are named {}", MAX_NAMESAKES, name);
    return new FromSite(cache, payload, () -> {}, name, site);
  }
}
