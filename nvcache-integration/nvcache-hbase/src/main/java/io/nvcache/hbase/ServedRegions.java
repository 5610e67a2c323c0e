// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.hbase.files.ClosedRegion;
import io.nvcache.hbase.files.RegionShares;
import io.nvcache.hbase.files.StoreFileNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/** The regions of a server, their store files, and how much of each is cached. Thread-safe. */
final class ServedRegions {
  /** A master hears of its servers every few seconds. */
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final BlockCache cache;
  private final StoreFileNames names;
  private final Map<String, RegionFiles> filesOfRegions = new ConcurrentHashMap<>();

  /** Regions that were closed here and have cached blocks. */
  private final Map<String, ClosedRegion> closedRegions = new ConcurrentHashMap<>();

  // Guarded by this object.
  private final Set<String> asked = new HashSet<>();
  private long lastAsked = System.nanoTime();

  private final RegionShares shares =
      new RegionShares(
          this::cachedBlocks, this::namesByRegion, this::meanBlockBytes, System::nanoTime);

  ServedRegions(BlockCache cache, StoreFileNames names) {
    this.cache = cache;
    this.names = names;
  }

  /** Returns the files of a region, by its encoded name. */
  RegionFiles filesOf(String region) {
    closedRegions.remove(region);
    return filesOfRegions.computeIfAbsent(region, name -> new RegionFiles());
  }

  /** Unregisters the files of a region that is closed. */
  void close(String region, NvHBaseBlockCache registered, ClosedRegion closed) {
    RegionFiles files = filesOfRegions.remove(region);
    if (files != null) {
      files.close(registered);
      closedRegions.put(region, closed);
    }
  }

  /** Counts a block that was admitted a moment ago. */
  void admitted(BlockCacheKey key, Cacheable block, int lengthBytes) {
    shares.admitted(key, block, lengthBytes);
  }

  /** Returns the bytes on disk of the cached blocks, by the encoded name of their region. */
  Map<String, Long> bytesByRegion() {
    Map<String, Long> bytes = shares.bytesByRegion();
    closedRegions.keySet().retainAll(bytes.keySet()); // Without a block there is nothing to ask.
    forgetOneDropped();
    return bytes;
  }

  /**
   * Asks for one of the closed regions whether it is still there: a dropped table's is no reason to
   * report blocks. One at a time, since the file system may be slow and the server's report to its
   * master waits.
   */
  private synchronized void forgetOneDropped() {
    long now = System.nanoTime();
    if (now - lastAsked < ASK_NANOS) {
      return;
    }
    lastAsked = now;
    Map.Entry<String, ClosedRegion> oldest = null;
    for (Map.Entry<String, ClosedRegion> entry : closedRegions.entrySet()) {
      if (!asked.contains(entry.getKey())) {
        oldest = entry;
        break;
      }
    }
    if (oldest == null) {
      asked.clear();
    } else if (oldest.getValue().exists()) {
      asked.add(oldest.getKey());
    } else {
      closedRegions.remove(oldest.getKey(), oldest.getValue());
      shares.dropped(oldest.getKey());
    }
  }

  private Map<String, Set<String>> namesByRegion() {
    Map<String, Set<String>> names = new HashMap<>();
    filesOfRegions.forEach((region, files) -> names.put(region, files.names()));
    return names;
  }

  private double meanBlockBytes() {
    CacheStats now = cache.stats();
    return now.blocks() == 0 ? 0 : (double) now.blockBytes() / now.blocks();
  }

  private long cachedBlocks(String hfileName) {
    OptionalLong fileId = names.find(hfileName);
    return fileId.isPresent() ? cache.control().countBlocks(fileId.getAsLong()) : 0;
  }
}
