// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Shows a cache over JMX until it is closed. */
final class LuceneCacheBean implements LuceneCacheMXBean, AutoCloseable {
  private final LuceneCache cache;
  private final ObjectName name;

  private LuceneCacheBean(LuceneCache cache, ObjectName name) {
    this.cache = cache;
    this.name = name;
  }

  static LuceneCacheBean register(LuceneCache cache, String name) {
    try {
      LuceneCacheBean bean =
          new LuceneCacheBean(
              cache, new ObjectName("io.nvcache:type=LuceneCache,name=" + ObjectName.quote(name)));
      server().registerMBean(bean, bean.name);
      return bean;
    } catch (JMException e) {
      throw new IllegalArgumentException(
          "no MBean can be registered for the name " + name + "; is it taken?", e);
    }
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }

  private Map<String, Long> each(ToLongFunction<FileClassCounts> count) {
    Map<String, Long> counts = new TreeMap<>();
    cache
        .countsByExtension()
        .forEach((extension, of) -> counts.put(extension, count.applyAsLong(of)));
    return counts;
  }

  @Override
  public Map<String, Long> getHits() {
    return each(FileClassCounts::hits);
  }

  @Override
  public Map<String, Long> getMisses() {
    return each(FileClassCounts::misses);
  }

  @Override
  public Map<String, Long> getOnceMisses() {
    return each(FileClassCounts::onceMisses);
  }

  @Override
  public Map<String, Long> getBypassedOpens() {
    return each(FileClassCounts::bypassedOpens);
  }

  @Override
  public long getDelegateRequests() {
    return cache.delegateCounts().requests();
  }

  @Override
  public long getDelegateBlocks() {
    return cache.delegateCounts().requestedBlocks();
  }

  @Override
  public long getJoinedReads() {
    return cache.delegateCounts().joinedReads();
  }

  @Override
  public long getPrefetchedBlocks() {
    return cache.delegateCounts().prefetchedBlocks();
  }

  @Override
  public long getCarriedBlocks() {
    return cache.delegateCounts().carriedBlocks();
  }

  @Override
  public long getAheadFailures() {
    return cache.delegateCounts().aheadFailures();
  }

  @Override
  public long getAheadDropped() {
    return cache.delegateCounts().aheadDropped();
  }

  @Override
  public void close() {
    try {
      server().unregisterMBean(name);
    } catch (JMException e) {
      // It is gone already, which is what is wanted.
    }
  }
}
