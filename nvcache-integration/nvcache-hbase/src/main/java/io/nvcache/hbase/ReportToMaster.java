// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds to what a region server reports to its master how much of each region is cold: what no cache
 * holds, up to {@link #MOST_COLD} of the region.
 *
 * <p>From HBase 2.6.6 on the cache-aware balancer takes a region of which little is cached for one
 * whose server has no room, and moves it to where the cache has some. But NVCache holds what is
 * read, on any server, and not what is not: such a region would be moved for ever. With what is
 * cold left out it is as cached as it will be. Not more than a part of a region counts as cold,
 * because the rest is what the balancer weighs regions by when it brings them back to a server that
 * has their blocks.
 *
 * <p>HBase has no other way to say so than its time-based priority; the messages are known by the
 * names of their fields, which releases before 2.6.6 lack: then nothing is added.
 */
final class ReportToMaster {
  private static final Logger LOG = LoggerFactory.getLogger(ReportToMaster.class);

  /** Above the share below which the balancer takes a region for badly cached, 0.35. */
  static final float MOST_COLD = 0.5f;

  private ReportToMaster() {}

  /** Returns the cold share of a region of which a share is cached. */
  static float coldRatio(float cachedRatio) {
    return Math.max(0, Math.min(MOST_COLD, 1 - cachedRatio));
  }

  /** Has a server's reports completed from now on, if HBase keeps its connection where it did. */
  static void complete(HRegionServer server) {
    try {
      Field field = HRegionServer.class.getDeclaredField("rssStub");
      field.setAccessible(true);
      Object stub = field.get(server);
      if (stub != null && !Proxy.isProxyClass(stub.getClass())) {
        field.set(server, completing(stub, field.getType()));
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("The report to the master lacks which data is cold: {}", e.toString());
    }
  }

  private static Object completing(Object stub, Class<?> type) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          if (method.getDeclaringClass() == Object.class && method.getName().equals("equals")) {
            return proxy == arguments[0];
          }
          if (method.getName().equals("regionServerReport")) {
            arguments[1] = completed((Message) arguments[1]);
          }
          try {
            return method.invoke(stub, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  /** Returns a report with what is cold, or the same where the release does not know it. */
  static Message completed(Message report) {
    try {
      FieldDescriptor load = field(report, "load");
      return load == null
          ? report
          : report.toBuilder().setField(load, ofServer((Message) report.getField(load))).build();
    } catch (RuntimeException e) {
      LOG.debug("The report to the master lacks which data is cold", e);
      return report;
    }
  }

  private static Message ofServer(Message load) {
    FieldDescriptor regions = field(load, "regionLoads");
    FieldDescriptor coldSizes = field(load, "regionColdData");
    if (regions == null || coldSizes == null) {
      return load;
    }
    Message.Builder completed = load.toBuilder();
    Map<String, Integer> coldMegabytes = new HashMap<>();
    for (int i = 0; i < load.getRepeatedFieldCount(regions); i++) {
      completed.setRepeatedField(
          regions, i, ofRegion((Message) load.getRepeatedField(regions, i), coldMegabytes));
    }
    for (int i = 0; i < load.getRepeatedFieldCount(coldSizes); i++) {
      Message known = (Message) load.getRepeatedField(coldSizes, i);
      coldMegabytes.merge(
          (String) known.getField(field(known, "key")),
          (Integer) known.getField(field(known, "value")),
          Math::max);
    }
    completed.clearField(coldSizes);
    coldMegabytes.forEach(
        (region, megabytes) -> {
          Message.Builder entry = completed.newBuilderForField(coldSizes);
          entry.setField(entry.getDescriptorForType().findFieldByName("key"), region);
          entry.setField(entry.getDescriptorForType().findFieldByName("value"), megabytes);
          completed.addRepeatedField(coldSizes, entry.build());
        });
    return completed.build();
  }

  private static Message ofRegion(Message load, Map<String, Integer> coldMegabytes) {
    FieldDescriptor coldRatio = field(load, "currentRegionColdDataRatio");
    FieldDescriptor cachedRatio = field(load, "currentRegionCachedRatio");
    FieldDescriptor size = field(load, "regionSizeMB");
    if (coldRatio == null || cachedRatio == null || size == null) {
      return load;
    }
    float ratio =
        Math.max((Float) load.getField(coldRatio), coldRatio((Float) load.getField(cachedRatio)));
    Message specifier = (Message) load.getField(field(load, "regionSpecifier"));
    ByteString name = (ByteString) specifier.getField(field(specifier, "value"));
    coldMegabytes.put(
        RegionInfo.encodeRegionName(name.toByteArray()),
        Math.round(ratio * ((Number) load.getField(size)).intValue()));
    return load.toBuilder().setField(coldRatio, ratio).build();
  }

  /** Returns a field by its name in Java, however the message spells it. */
  private static @Nullable FieldDescriptor field(Message message, String name) {
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field
          .getName()
          .replace("_", "")
          .toLowerCase(Locale.ROOT)
          .equals(name.toLowerCase(Locale.ROOT))) {
        return field;
      }
    }
    return null;
  }
}
