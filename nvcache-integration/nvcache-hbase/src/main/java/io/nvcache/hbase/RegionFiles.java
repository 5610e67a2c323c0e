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
  private final Set<String> registered = new HashSet<>();

  /** Compacted, and perhaps still listed by their store for a moment. */
  private final Set<String> compacted = new HashSet<>();

  /** Made by compactions, and not listed by their store yet, perhaps for a moment. */
  private final Set<String> made = new HashSet<>();

  /** Registers files that were added and unregisters files that are gone since the last call. */
  synchronized void replace(NvHBaseBlockCache cache, Region region) {
    Map<String, Long> now = new HashMap<>();
    for (Store store : region.getStores()) {
      for (StoreFile file : store.getStorefiles()) {
        now.put(file.getPath().getName(), lengthBytes(file));
      }
    }
    compacted.retainAll(now.keySet());
    now.keySet().removeAll(compacted);
    made.removeAll(now.keySet());
    for (String gone : Set.copyOf(registered)) {
      if (!now.containsKey(gone) && !made.contains(gone)) {
        close(cache, gone);
      }
    }
    now.forEach((name, length) -> open(cache, name, length));
  }

  /** Registers a compaction's result and unregisters its inputs. */
  synchronized void compacted(
      NvHBaseBlockCache cache, Collection<? extends StoreFile> from, @Nullable StoreFile to) {
    if (to != null) {
      made.add(to.getPath().getName());
      open(cache, to.getPath().getName(), lengthBytes(to));
    }
    for (StoreFile file : from) {
      made.remove(file.getPath().getName());
      compacted.add(file.getPath().getName());
      close(cache, file.getPath().getName());
    }
  }

  /** Returns the names of the registered files. */
  synchronized Set<String> names() {
    return Set.copyOf(registered);
  }

  /** Unregisters all files, as the region is closed. */
  synchronized void close(NvHBaseBlockCache cache) {
    for (String name : Set.copyOf(registered)) {
      close(cache, name);
    }
  }

  private void open(NvHBaseBlockCache cache, String name, long lengthBytes) {
    if (registered.add(name)) {
      cache.registerFile(name, lengthBytes);
    }
  }

  private void close(NvHBaseBlockCache cache, String name) {
    if (registered.remove(name)) {
      cache.unregisterFile(name);
    }
  }

  private static long lengthBytes(StoreFile file) {
    return file instanceof HStoreFile hstoreFile && hstoreFile.getReader() != null
        ? hstoreFile.getReader().length()
        : 0;
  }
}
