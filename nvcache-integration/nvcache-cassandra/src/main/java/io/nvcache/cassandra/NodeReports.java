// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.BlockCache;
import io.nvcache.cassandra.report.NodeMetrics;
import io.nvcache.cassandra.report.PrometheusEndpoint;
import io.nvcache.cassandra.report.SummaryLine;
import io.nvcache.cassandra.settings.NodeSettings;
import io.nvcache.cassandra.tier.NodeLog;
import io.nvcache.cassandra.tier.Tier;
import io.nvcache.host.PeriodicLine;
import io.nvcache.jmx.MBeanDomain;
import io.nvcache.jmx.NvCacheMBeanRegistration;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Makes a running cache visible: two MBeans, Cassandra's own metrics, and lines in the log. */
final class NodeReports {
  private static final String NODE_BEAN = "org.apache.cassandra.db:type=NVCache";
  private static final String CACHE_NAME = "cassandra";

  private NodeReports() {}

  /** Registers the node's own bean, which also reports why none was built. */
  static void publish(NodeCache node) {
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(node, new ObjectName(NODE_BEAN));
    } catch (JMException | RuntimeException e) {
      NodeLog.error("NVCache can't be watched: " + e);
    }
  }

  /** Shows the cache. What can't be published is logged, and the cache serves nevertheless. */
  static void publish(Tier tier, BlockCache cache, NodeSettings settings) {
    try {
      register(cache);
      NodeMetrics.register(tier, cache);
      listen(settings.prometheus(), tier, cache);
    } catch (IOException | RuntimeException | LinkageError e) {
      NodeLog.error("NVCache serves, but can't be watched: " + e);
    }
    if (!settings.summaryInterval().isZero()) {
      SummaryLine line = new SummaryLine(tier, cache);
      cache
          .control()
          .addCompanion(PeriodicLine.start(line::next, NodeLog::info, settings.summaryInterval()));
    }
  }

  /** Where operators look for Cassandra's beans; for as long as the cache is open. */
  static ObjectName register(BlockCache cache) {
    NvCacheMBeanRegistration registration =
        NvCacheMBeanRegistration.register(cache, MBeanDomain.CASSANDRA, CACHE_NAME);
    cache.control().addCompanion(registration);
    return registration.objectName();
  }

  private static void listen(@Nullable InetSocketAddress address, Tier tier, BlockCache cache)
      throws IOException {
    if (address != null) {
      PrometheusEndpoint.start(address, tier, cache);
      NodeLog.info(
          "NVCache answers Prometheus at http://"
              + address.getHostString()
              + ":"
              + address.getPort()
              + "/metrics");
    }
  }
}
