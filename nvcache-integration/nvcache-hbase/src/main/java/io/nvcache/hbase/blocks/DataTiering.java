// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time-based priority of HBase for a block's age: tables with {@code
 * hbase.hstore.datatiering.type} have cold data, which is not to be cached. HBase 2.6.1 does not
 * know it; there, and while it is off, all data is hot. So is what HBase can't judge. Thread-safe.
 */
public final class DataTiering {
  private static final Logger LOG = LoggerFactory.getLogger(DataTiering.class);
  private static final String RULES = "org.apache.hadoop.hbase.regionserver.DataTieringManager";

  private final @Nullable Rules rules;

  /** HBase's methods; each but the first takes what that one returns. */
  private record Rules(
      MethodHandle instance,
      MethodHandle ofBlock,
      MethodHandle ofTime,
      MethodHandle ofFile,
      MethodHandle coldFiles) {}

  private DataTiering(@Nullable Rules rules) {
    this.rules = rules;
  }

  /** Returns what the HBase that runs has. */
  public static DataTiering ofThisHBase() {
    try {
      return of(Class.forName(RULES));
    } catch (ClassNotFoundException olderHBase) {
      return new DataTiering(null);
    }
  }

  /** Returns what a class of such methods says. */
  static DataTiering of(Class<?> rules) {
    Lookup lookup = MethodHandles.publicLookup();
    try {
      return new DataTiering(
          new Rules(
              lookup
                  .findStatic(rules, "getInstance", MethodType.methodType(rules))
                  .asType(MethodType.methodType(Object.class)),
              isHot(lookup, rules, BlockCacheKey.class),
              isHot(lookup, rules, long.class, Configuration.class),
              isHot(lookup, rules, HFileInfo.class, Configuration.class),
              lookup
                  .findVirtual(rules, "getColdFilesList", MethodType.methodType(Map.class))
                  .asType(MethodType.methodType(Map.class, Object.class))));
    } catch (ReflectiveOperationException e) {
      LOG.warn("HBase's time-based priority has no effect on NVCache: {}", e.toString());
      return new DataTiering(null);
    }
  }

  private static MethodHandle isHot(Lookup lookup, Class<?> rules, Class<?>... of)
      throws ReflectiveOperationException {
    MethodHandle found =
        lookup.findVirtual(rules, "isHotData", MethodType.methodType(boolean.class, of));
    return found.asType(found.type().changeParameterType(0, Object.class));
  }

  /** Returns whether a block is of cold data. */
  public boolean isCold(BlockCacheKey key) {
    Object now = instance();
    try {
      return now != null && !(boolean) rules().ofBlock().invokeExact(now, key);
    } catch (Throwable e) {
      return unknown(e);
    }
  }

  /** Returns whether a block whose newest cell has a timestamp is of cold data. */
  public boolean isCold(long maxTimestamp, Configuration configuration) {
    Object now = instance();
    try {
      return now != null
          && !(boolean) rules().ofTime().invokeExact(now, maxTimestamp, configuration);
    } catch (Throwable e) {
      return unknown(e);
    }
  }

  /** Returns whether a file is of cold data. */
  public boolean isCold(HFileInfo file, Configuration configuration) {
    Object now = instance();
    try {
      return now != null && !(boolean) rules().ofFile().invokeExact(now, file, configuration);
    } catch (Throwable e) {
      return unknown(e);
    }
  }

  /** Returns the names of all files of cold data. */
  @SuppressWarnings("unchecked") // As HBase declares it.
  public Set<String> coldFiles() {
    Object now = instance();
    try {
      return now == null
          ? Set.of()
          : Set.copyOf(
              ((Map<String, String>) (Map<?, ?>) rules().coldFiles().invokeExact(now)).keySet());
    } catch (Throwable e) {
      unknown(e);
      return Set.of();
    }
  }

  /** Returns whether this HBase has such rules, be they on or off. */
  public boolean isKnown() {
    return rules != null;
  }

  /** Returns whether HBase has such rules, and they are on. */
  public boolean isOn() {
    return instance() != null;
  }

  private Rules rules() {
    if (rules == null) {
      throw new IllegalStateException("no rules");
    }
    return rules;
  }

  private @Nullable Object instance() {
    if (rules == null) {
      return null;
    }
    try {
      return rules.instance().invokeExact();
    } catch (Throwable e) {
      unknown(e);
      return null;
    }
  }

  /** A region that is not open yet, say. */
  private static boolean unknown(Throwable e) {
    if (e instanceof VirtualMachineError error) {
      throw error;
    }
    LOG.debug("HBase can't say how old data is", e);
    return false;
  }
}
