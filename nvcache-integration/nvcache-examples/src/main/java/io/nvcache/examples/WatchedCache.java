// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.micrometer.NvCacheMetrics;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** A cache that is watched and set through Micrometer and JMX. */
public final class WatchedCache {
  private WatchedCache() {}

  /** Prints a meter and an attribute, and changes a live setting. */
  public static void main(String[] arguments) throws JMException {
    MeterRegistry registry = new SimpleMeterRegistry(); // Or your Prometheus registry.
    try (BlockCache cache = open(registry)) {
      cache.offer(1, 0, ByteBuffer.allocate(4096), Source.READ);
      cache.get(1, 0, ByteBuffer.allocate(4096));
      System.out.println("lookups by Micrometer: " + lookups(registry));
      System.out.println("lookups by JMX: " + attribute("Lookups"));
      set("OverheadTargetPercent", 20.0);
      System.out.println("overhead target: " + cache.control().settings().overheadTarget());
    }
  }

  // region watched
  static BlockCache open(MeterRegistry registry) {
    BlockCache cache =
        BlockCache.builder().nativeMemory(64 << 20).registerMBean("my-store").build();
    return NvCacheMetrics.monitor(registry, cache, "my-store"); // Both end when the cache closes.
  }

  // endregion watched

  static double lookups(MeterRegistry registry) {
    return registry.get("nvcache.lookups").tag("cache", "my-store").functionCounters().stream()
        .mapToDouble(hitsOrMisses -> hitsOrMisses.count())
        .sum();
  }

  static Object attribute(String name) throws JMException {
    return server().getAttribute(bean(), name);
  }

  static void set(String liveSetting, Object value) throws JMException {
    server().setAttribute(bean(), new Attribute(liveSetting, value));
  }

  private static ObjectName bean() throws JMException {
    return new ObjectName("io.nvcache:type=BlockCache,name=my-store");
  }

  private static MBeanServer server() {
    return ManagementFactory.getPlatformMBeanServer();
  }
}
