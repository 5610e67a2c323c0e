// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.CacheStats;
import io.nvcache.control.CacheHealth;
import io.nvcache.lucene.DelegateCounts;
import io.nvcache.lucene.LuceneCache;
import io.nvcache.opensearch.stats.NodeCacheStats;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.store.RemoteSegmentStoreDirectory;
import org.opensearch.index.store.remote.filecache.FileCache;
import org.opensearch.plugins.BlockCache;
import org.opensearch.plugins.BlockCacheStats;
import org.opensearch.storage.utils.DirectoryUtils;

/**
 * The cache of a node, which all shards of warm indices share, in the form that OpenSearch counts
 * among its block caches. Thread-safe.
 */
final class NodeCache implements BlockCache {
  static final String NAME = "nvcache";

  private final LuceneCache cache;
  private final String medium;
  private final RemoteCounts counts = new RemoteCounts();
  private final Set<CachedWarmDirectory> open = ConcurrentHashMap.newKeySet();

  /**
   * Begins without a shard.
   *
   * @param medium of the cache, as {@link NodeSettings#MEDIUM} names it
   */
  NodeCache(LuceneCache cache, String medium) {
    this.cache = cache;
    this.medium = medium;
  }

  LuceneCache cache() {
    return cache;
  }

  RemoteCounts remoteCounts() {
    return counts;
  }

  /**
   * Makes the directory of a shard.
   *
   * @param local closed with it, or if this fails
   * @param fileCache null where the node has none
   */
  Directory directory(
      Directory local, RemoteSegmentStoreDirectory remote, @Nullable FileCache fileCache)
      throws IOException {
    try {
      FileCacheClaims claims =
          new FileCacheClaims(fileCache, DirectoryUtils.unwrapFSDirectory(local).getDirectory());
      WarmDirectory files = new WarmDirectory(local, claims, remote, counts, cache.blockBytes());
      CachedWarmDirectory cached = new CachedWarmDirectory(files, cache, this);
      open.add(cached);
      return cached;
    } catch (Throwable failure) {
      try (local) {
        throw failure;
      }
    }
  }

  void forget(CachedWarmDirectory directory) {
    open.remove(directory);
  }

  /** Returns the bytes of files that wait for their upload, and are not in the cache's budget. */
  long localBytes() {
    long bytes = 0;
    for (CachedWarmDirectory directory : open) {
      try {
        bytes += directory.localBytes();
      } catch (IOException | RuntimeException e) {
        // Closed right now, or its folder can't be listed; asked again the next time.
      }
    }
    return bytes;
  }

  /** Returns what {@code _nvcache/stats} shows. */
  NodeCacheStats snapshot() {
    CacheStats stats = cache.blocks().stats();
    DelegateCounts reads = cache.delegateCounts();
    Map<String, Long> numbers = new HashMap<>();
    numbers.put("capacity_in_bytes", stats.capacityBytes());
    numbers.put("used_in_bytes", stats.usedBytes());
    numbers.put("metadata_in_bytes", stats.metadataBytes());
    numbers.put("blocks", stats.blocks());
    numbers.put("hit_count", stats.hits());
    numbers.put("miss_count", stats.misses());
    numbers.put("eviction_count", stats.evictions());
    numbers.put("restored_blocks", stats.restoredBlocks());
    numbers.put("medium_written_in_bytes", stats.mediumWrittenBytes());
    numbers.put("medium_failures", stats.mediumFailures());
    numbers.put("joined_reads", reads.joinedReads());
    numbers.put("prefetched_blocks", reads.prefetchedBlocks());
    numbers.put("remote_requests", counts.requests.sum());
    numbers.put("remote_in_bytes", counts.bytes.sum());
    numbers.put("remote_failures", counts.failures.sum());
    numbers.put("refused_uploads", counts.refusedUploads.sum());
    numbers.put("local_in_bytes", localBytes());
    Map<String, Long> offers = new HashMap<>();
    stats.offers().forEach((outcome, count) -> offers.put(name(outcome), count));
    Map<String, Map<String, Long>> extensions = new HashMap<>();
    cache
        .countsByExtension()
        .forEach(
            (extension, count) ->
                extensions.put(
                    extension, Map.of("hit_count", count.hits(), "miss_count", count.misses())));
    CacheHealth health = cache.blocks().control().health();
    String state = name(health.state());
    return new NodeCacheStats(
        health.reason().isEmpty() ? state : state + ": " + health.reason(),
        numbers,
        offers,
        extensions);
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String cacheName() {
    return NAME;
  }

  /**
   * Returns what {@code _nodes/stats/file_cache} adds to the file cache's own. Missed bytes are the
   * bytes of the blocks that the remote store was asked for. Active bytes are the pinned ones, up
   * to all: each reader's pin counts, also several of one block. On flash a pin is a copy in the
   * heap, and keeps nothing of the cache from its eviction.
   */
  @Override
  public BlockCacheStats stats() {
    CacheStats stats = cache.blocks().stats();
    boolean onDisk = !medium.equals(NodeSettings.NATIVE);
    long active = medium.equals(NodeSettings.FLASH) ? 0 : stats.pinnedBytes();
    return new BlockCacheStats(
        stats.hits(),
        stats.misses(),
        stats.hitBytes(),
        cache.delegateCounts().requestedBlocks() * cache.blockBytes(),
        stats.evictions(),
        stats.evictedBytes(),
        stats.invalidations(),
        stats.invalidatedBytes(),
        onDisk ? 0 : stats.usedBytes(),
        onDisk ? stats.usedBytes() : 0,
        stats.capacityBytes(),
        Math.min(active, stats.usedBytes()));
  }

  /** Does nothing: what lies here is immutable, and what is wrong with it shows as a miss. */
  @Override
  public boolean clear() {
    return false;
  }

  @Override
  public void close() {
    cache.close();
  }
}
