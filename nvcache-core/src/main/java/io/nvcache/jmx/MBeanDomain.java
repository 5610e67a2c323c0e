// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** The JMX naming scheme of a host. */
public enum MBeanDomain {
  /** {@code io.nvcache:type=BlockCache,name=NAME}. */
  STANDALONE("io.nvcache:type=BlockCache,name="),

  /**
   * {@code Hadoop:service=HBase,name=RegionServer,sub=NvCache,cache=NAME}, next to the beans of
   * HBase's metrics.
   */
  HBASE("Hadoop:service=HBase,name=RegionServer,sub=NvCache,cache="),

  /** {@code org.apache.cassandra.db:type=NvCache,name=NAME}, next to {@code type=Caches}. */
  CASSANDRA("org.apache.cassandra.db:type=NvCache,name=");

  private final String prefix;

  MBeanDomain(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Returns the name of a cache's bean.
   *
   * @param cacheName not blank; quoted where JMX demands it
   * @throws IllegalArgumentException if the name is blank
   */
  public ObjectName objectName(String cacheName) {
    if (cacheName.isBlank()) {
      throw new IllegalArgumentException(
          "the name of the cache is '"
              + cacheName
              + "', which is blank; give it a letter or a digit");
    }
    boolean special = cacheName.chars().anyMatch(c -> ",=:\"*?\n".indexOf(c) >= 0);
    try {
      return new ObjectName(prefix + (special ? ObjectName.quote(cacheName) : cacheName));
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException("no JMX name can be made of '" + cacheName + "'", e);
    }
  }
}
