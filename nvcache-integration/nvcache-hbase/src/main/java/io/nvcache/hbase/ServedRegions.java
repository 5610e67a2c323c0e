// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/** The regions of a server, their store files, and how much of each is cached. Thread-safe. */
final class ServedRegions {
  private final BlockCache cache;
  private final StoreFileNames names;
  private final Map<String, RegionFiles> filesOfRegions = new ConcurrentHashMap<>();
  private final RegionShares shares =
      new RegionShares(
          this::cachedBlocks, this::namesByRegion, this::meanBlockBytes, System::nanoTime);

  ServedRegions(BlockCache cache, StoreFileNames names) {
    this.cache = cache;
    this.names = names;
  }

  /** Returns the files of a region, by its encoded name. */
  RegionFiles filesOf(String region) {
    return filesOfRegions.computeIfAbsent(region, name -> new RegionFiles());
  }

  /** Unregisters the files of a region that is closed. */
  void close(String region, NvHBaseBlockCache registered) {
    RegionFiles files = filesOfRegions.remove(region);
    if (files != null) {
      files.close(registered);
    }
  }

  /** Counts a block that was admitted a moment ago. */
  void admitted(BlockCacheKey key, Cacheable block, int lengthBytes) {
    shares.admitted(key, block, lengthBytes);
  }

  /** Returns the bytes on disk of the cached blocks, by the encoded name of their region. */
  Map<String, Long> bytesByRegion() {
    return shares.bytesByRegion();
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
