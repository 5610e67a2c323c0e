// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.jspecify.annotations.Nullable;

/** The store files of one region that a cache was told of. Thread-safe. */
final class RegionFiles {
  private final Set<String> told = new HashSet<>();

  /** Compacted, and perhaps still listed by their store for a moment. */
  private final Set<String> compacted = new HashSet<>();

  /** Tells the files that came and those that went since the last time. */
  synchronized void replace(NvHBaseBlockCache cache, Region region) {
    Map<String, Long> now = new HashMap<>();
    for (Store store : region.getStores()) {
      for (StoreFile file : store.getStorefiles()) {
        now.put(file.getPath().getName(), lengthBytes(file));
      }
    }
    compacted.retainAll(now.keySet());
    now.keySet().removeAll(compacted);
    for (String gone : Set.copyOf(told)) {
      if (!now.containsKey(gone)) {
        close(cache, gone);
      }
    }
    now.forEach((name, length) -> open(cache, name, length));
  }

  /** Tells a compaction's result, and that what it was made from is read no longer. */
  synchronized void compacted(
      NvHBaseBlockCache cache, Collection<? extends StoreFile> from, @Nullable StoreFile to) {
    if (to != null) {
      open(cache, to.getPath().getName(), lengthBytes(to));
    }
    for (StoreFile file : from) {
      compacted.add(file.getPath().getName());
      close(cache, file.getPath().getName());
    }
  }

  /** Tells that the region is closed. */
  synchronized void close(NvHBaseBlockCache cache) {
    for (String name : Set.copyOf(told)) {
      close(cache, name);
    }
  }

  private void open(NvHBaseBlockCache cache, String name, long lengthBytes) {
    if (told.add(name)) {
      cache.registerFile(name, lengthBytes);
    }
  }

  private void close(NvHBaseBlockCache cache, String name) {
    if (told.remove(name)) {
      cache.unregisterFile(name);
    }
  }

  private static long lengthBytes(StoreFile file) {
    return file instanceof HStoreFile hstoreFile && hstoreFile.getReader() != null
        ? hstoreFile.getReader().length()
        : 0;
  }
}
