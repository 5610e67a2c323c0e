// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.host.ReasonCounts;
import io.nvcache.jmx.MBeanDomain;
import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows over JMX, next to a cache's own bean, what became of the heat of compactions. */
public final class CompactionHeatBean implements CompactionHeatMXBean, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionHeatBean.class);

  private static final String CACHE_KEY = "cache";
  private static final String PREFIX =
      "Hadoop:service=HBase,name=RegionServer,sub=NvCacheHeat," + CACHE_KEY + "=";

  private final ReasonCounts<HeatDrop> drops;
  private final ObjectName name;

  private CompactionHeatBean(ReasonCounts<HeatDrop> drops, ObjectName name) {
    this.drops = drops;
    this.name = name;
  }

  /**
   * Registers on the platform's server; a server that can't is served all the same.
   *
   * @param cacheName as in the name of the cache's own bean
   */
  public static AutoCloseable register(ReasonCounts<HeatDrop> drops, String cacheName) {
    try {
      CompactionHeatBean bean = new CompactionHeatBean(drops, nameOf(cacheName));
      server().registerMBean(bean, bean.name);
      return bean;
    } catch (JMException e) {
      LOG.warn("The heat of compactions is not shown over JMX", e);
      return () -> {};
    }
  }

  private static ObjectName nameOf(String cacheName) throws JMException {
    return new ObjectName(
        PREFIX + MBeanDomain.HBASE.objectName(cacheName).getKeyProperty(CACHE_KEY));
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }

  @Override
  public Map<String, Long> getDrops() {
    return drops.byName();
  }

  @Override
  public void close() {
    try {
      server().unregisterMBean(name);
    } catch (JMException e) {
      LOG.debug("{} is gone already", name, e);
    }
  }
}
