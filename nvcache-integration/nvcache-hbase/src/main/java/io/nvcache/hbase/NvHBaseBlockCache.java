// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NVCache behind the block cache interface of HBase 2.6. An unmodified region server loads it as an
 * external cache:
 *
 * <pre>{@code
 * hbase.blockcache.use.external   = true
 * hbase.blockcache.external.class = io.nvcache.hbase.NvHBaseBlockCache
 * hbase.nvcache.capacity.bytes    = ...
 * hbase.rs.evictblocksonclose     = true
 * }</pre>
 *
 * <p>{@link NvCacheConfiguration} lists the settings. Where the code that builds HBase's caches can
 * be changed, {@link TwoTierBlockCache} is the better way in.
 *
 * <p>A block is offered in its serialized form and copied out, on a hit, to heap memory of its own.
 * Caching is a suggestion, so {@link #cacheBlock} never throws, and neither does {@link #getBlock}:
 * a block that can't be read back is a miss. {@code isAlreadyCached} and {@code getBlockSize} are
 * left at their empty defaults on purpose: HBase's prefetch loses its place in a partly cached file
 * when they answer. Thread-safe.
 *
 * <p>All fields are transient because HBase's status page turns its caches into JSON by reflection.
 */
public final class NvHBaseBlockCache implements org.apache.hadoop.hbase.io.hfile.BlockCache {
  private static final Logger LOG = LoggerFactory.getLogger(NvHBaseBlockCache.class);

  private final transient BlockCache cache;
  private final transient FileIdRegistry fileIds;
  private final transient NvCacheStats stats;
  private final transient RecentOffers recentOffers = new RecentOffers();

  /**
   * Builds the cache that the settings ask for; HBase calls this.
   *
   * @throws IllegalArgumentException if a setting is out of range
   */
  public NvHBaseBlockCache(Configuration configuration) {
    this(NvCacheConfiguration.build(configuration), new FileIdRegistry());
  }

  /**
   * Puts an adapter before a cache.
   *
   * @param cache the cache; {@link #shutdown} closes it
   * @param fileIds gives the ids of the HFiles; whatever else uses the cache must share it
   */
  public NvHBaseBlockCache(BlockCache cache, FileIdRegistry fileIds) {
    this.cache = cache;
    this.fileIds = fileIds;
    this.stats = new NvCacheStats(cache);
  }

  /**
   * Tells the length of an HFile that is about to be read, for the bypass of small data sets.
   * HBase's interface has no place for this; until the first call, no data set is held to be small.
   *
   * @param hfileName the last part of the file's path, as in its {@link BlockCacheKey}s
   * @param lengthBytes its length
   */
  public void registerFile(String hfileName, long lengthBytes) {
    cache.dataSet().register(fileIds.idOf(hfileName), lengthBytes);
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    try {
      if (block.getSerializedLength() > 0) {
        offer(fileIds.idOf(key.getHfileName()), key.getOffset(), block);
      }
    } catch (RuntimeException e) {
      stats.failInsert();
      LOG.warn("Could not cache {}", key, e);
    }
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    cacheBlock(key, block);
  }

  private void offer(long fileId, long offset, Cacheable block) {
    OfferResult result =
        cache.offer(fileId, offset, BlockPayload.encode(block), ThreadSource.current());
    if (result == OfferResult.ADMITTED || result == OfferResult.ALREADY_CACHED) {
      recentOffers.add(fileId, offset);
    }
  }

  @Override
  public @Nullable Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    long fileId = fileIds.idOf(key.getHfileName());
    boolean offered = recentOffers.contains(fileId, key.getOffset());
    Cacheable block = repeat && !offered ? null : lookup(fileId, key);
    if (block == null && offered) {
      // It was evicted since; the next repeated lookup shall wait for a new offer.
      recentOffers.remove(fileId, key.getOffset());
    }
    if (updateCacheMetrics) {
      if (block != null) {
        stats.hit(caching, key.isPrimary(), key.getBlockType());
      } else if (!repeat) {
        stats.miss(caching, key.isPrimary(), key.getBlockType());
      }
    }
    return block;
  }

  private @Nullable Cacheable lookup(long fileId, BlockCacheKey key) {
    try (PinnedBlock lease = cache.pin(fileId, key.getOffset())) {
      return lease == null ? null : BlockPayload.decode(lease);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Dropping {}, which can't be read back", key, e);
      cache.invalidate(fileId, key.getOffset());
      return null;
    }
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    return cache.invalidate(fileIds.idOf(key.getHfileName()), key.getOffset());
  }

  /**
   * Forgets all blocks of a file at once and ends its name's use.
   *
   * @return 1 if the file was known, else 0: the blocks are forgotten in one step, without being
   *     counted
   */
  @Override
  public int evictBlocksByHfileName(String hfileName) {
    OptionalLong fileId = fileIds.retire(hfileName);
    if (fileId.isEmpty()) {
      return 0;
    }
    cache.invalidateFile(fileId.getAsLong());
    return 1;
  }

  @Override
  public CacheStats getStats() {
    return stats;
  }

  /** Closes the cache. */
  @Override
  public void shutdown() {
    cache.close();
  }

  @Override
  public long size() {
    return getMaxSize();
  }

  @Override
  public long getMaxSize() {
    return cache.stats().capacityBytes();
  }

  @Override
  public long getFreeSize() {
    io.nvcache.CacheStats now = cache.stats();
    return now.capacityBytes() - now.usedBytes();
  }

  @Override
  public long getCurrentSize() {
    return cache.stats().usedBytes();
  }

  /** Bytes of all blocks: which of them hold data is not kept. */
  @Override
  public long getCurrentDataSize() {
    return cache.stats().blockBytes();
  }

  @Override
  public long getBlockCount() {
    return cache.stats().blocks();
  }

  /** All blocks: which of them hold data is not kept. */
  @Override
  public long getDataBlockCount() {
    return getBlockCount();
  }

  /** Empty: the index keeps hashes, from which the names of files can't be told. */
  @Override
  public Iterator<CachedBlock> iterator() {
    return Collections.emptyIterator();
  }

  @Override
  public org.apache.hadoop.hbase.io.hfile.BlockCache @Nullable [] getBlockCaches() {
    return null;
  }
}
