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

/** The store files of one region that are registered with a cache. Thread-safe. */
final class RegionFiles {
  /** By name, whether the store's readers expect packed data blocks. */
  private final Map<String, Boolean> registered = new HashMap<>();

  /** Compacted, and perhaps still listed by their store for a moment. */
  private final Set<String> compacted = new HashSet<>();

  /** Made by compactions, and not listed by their store yet, perhaps for a moment. */
  private final Set<String> made = new HashSet<>();

  /** Registers files that were added and unregisters files that are gone since the last call. */
  synchronized void replace(NvHBaseBlockCache cache, Region region) {
    Map<String, StoreFile> now = new HashMap<>();
    for (Store store : region.getStores()) {
      for (StoreFile file : store.getStorefiles()) {
        now.put(file.getPath().getName(), file);
      }
    }
    compacted.retainAll(now.keySet());
    now.keySet().removeAll(compacted);
    made.removeAll(now.keySet());
    for (String gone : Set.copyOf(registered.keySet())) {
      if (!now.containsKey(gone) && !made.contains(gone)) {
        close(cache, gone);
      }
    }
    now.forEach((name, file) -> open(cache, name, file));
  }

  /** Registers a compaction's result and unregisters its inputs. */
  synchronized void compacted(
      NvHBaseBlockCache cache, Collection<? extends StoreFile> from, @Nullable StoreFile to) {
    if (to != null) {
      made.add(to.getPath().getName());
      open(cache, to.getPath().getName(), to);
    }
    for (StoreFile file : from) {
      made.remove(file.getPath().getName());
      compacted.add(file.getPath().getName());
      close(cache, file.getPath().getName());
    }
  }

  /** Returns the names of the registered files. */
  synchronized Set<String> names() {
    return Set.copyOf(registered.keySet());
  }

  /** Unregisters all files, as the region is closed. */
  synchronized void close(NvHBaseBlockCache cache) {
    for (String name : Set.copyOf(registered.keySet())) {
      close(cache, name);
    }
  }

  private void open(NvHBaseBlockCache cache, String name, StoreFile file) {
    boolean packed = packs(file);
    if (registered.putIfAbsent(name, packed) == null) {
      cache.forms().opened(name, packed);
      cache.registerFile(name, lengthBytes(file));
    }
  }

  private void close(NvHBaseBlockCache cache, String name) {
    Boolean packed = registered.remove(name);
    if (packed != null) {
      cache.unregisterFile(name);
      cache.forms().closed(name, packed);
    }
  }

  private static boolean packs(StoreFile file) {
    return file instanceof HStoreFile opened
        && opened.getCacheConf() != null
        && opened.getCacheConf().shouldCacheDataCompressed();
  }

  private static long lengthBytes(StoreFile file) {
    return file instanceof HStoreFile hstoreFile && hstoreFile.getReader() != null
        ? hstoreFile.getReader().length()
        : 0;
  }
}
