// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.hbase.blocks.BlockForms;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.DataTiering;
import io.nvcache.hbase.blocks.MetaFirst;
import io.nvcache.hbase.blocks.RangeEvictions;
import io.nvcache.hbase.blocks.ReadMode;
import io.nvcache.hbase.blocks.SecondLookups;
import io.nvcache.hbase.compaction.CarriedBlocks;
import io.nvcache.hbase.compaction.ColdFiles;
import io.nvcache.hbase.compaction.CompactionHeatBean;
import io.nvcache.hbase.compaction.Compactions;
import io.nvcache.hbase.files.ClosedRegion;
import io.nvcache.hbase.files.OpenStoreFiles;
import io.nvcache.hbase.files.StoreFileIdentity;
import io.nvcache.hbase.files.StoreFileNames;
import io.nvcache.hbase.prefetch.Prefetches;
import io.nvcache.hbase.prefetch.WholeFileLog;
import io.nvcache.hbase.site.LiveSite;
import io.nvcache.hbase.site.Topology;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NVCache behind the block cache interface of HBase 2.6. {@link NvCacheRegionServer} puts it below
 * HBase's DRAM cache; an unmodified region server loads it as an external cache.
 * docs/start/hbase.md says which to choose, and {@code NvCacheConfiguration} lists the settings.
 *
 * <p>A block is offered in its serialized form, which is laid out only once admission has said yes,
 * and is read in place by gets, as docs/start/hbase.md says: HBase's reference count holds a pin on
 * its bytes. All others get a copy. Caching is a suggestion, so {@link #cacheBlock} never throws,
 * and neither does {@link #getBlock}: a block that can't be read back is a miss. Thread-safe.
 *
 * <p>This class is the face that HBase sees. {@link BlockLookups} answers lookups, {@link
 * BlockOffers} offers blocks to the engine, {@link Prefetches} answers what prefetches ask, and
 * {@link CacheContents} tells what is cached.
 *
 * <p>All fields are transient because HBase's status page turns its caches into JSON by reflection.
 */
public final class NvHBaseBlockCache implements org.apache.hadoop.hbase.io.hfile.BlockCache {
  private static final Logger LOG = LoggerFactory.getLogger(NvHBaseBlockCache.class);

  private final transient BlockCache cache;
  private final transient StoreFileNames names;
  private final transient OpenStoreFiles openFiles;
  private final transient NvCacheStats stats;
  private final transient AutoCloseable bean;
  private final transient Compactions compactions;
  private final transient Prefetches prefetches;
  private final transient SecondLookups secondLookups = new SecondLookups();
  private final transient CacheContents contents;
  private final transient BlockLookups lookups;
  private final transient BlockOffers offers;
  private final transient RangeEvictions rangeEvictions;
  private final transient DataTiering tiering;
  private final transient ColdFiles coldFiles;
  private final transient LiveSite liveSite;

  /**
   * Builds the cache that the settings ask for; HBase calls this for an external cache. HBase then
   * continues without a second level when this throws, so the reason is logged here, in one line;
   * {@link NvCacheGuard} makes it stop instead.
   *
   * @throws IllegalArgumentException if a setting is out of range
   */
  public NvHBaseBlockCache(Configuration configuration) {
    this(FromSite.build(configuration));
  }

  private NvHBaseBlockCache(FromSite parts) {
    this(
        parts.cache(),
        StoreFileIdentity.registry(parts.cache(), parts.site()),
        parts.payload(),
        parts.bean(),
        DataTiering.ofThisHBase(),
        parts.site(),
        System::nanoTime);
    cache
        .control()
        .addCompanion(CompactionHeatBean.register(compactions.drops(), parts.beanName()));
  }

  /**
   * Puts an adapter before a cache. Gets read blocks in place.
   *
   * @param cache the cache; {@link #shutdown} closes it
   * @param fileIds gives the ids of the HFiles; whatever else uses the cache must share it
   */
  public NvHBaseBlockCache(BlockCache cache, FileIdRegistry fileIds) {
    this(cache, fileIds, new BlockPayload(ReadMode.ZERO_COPY), () -> {});
  }

  /**
   * Returns the same, but blocks are copied out, so that nothing of the medium is referred to once
   * the cache is closed: for caches that follow each other on one file.
   */
  public static NvHBaseBlockCache copying(BlockCache cache, FileIdRegistry fileIds) {
    return new NvHBaseBlockCache(cache, fileIds, new BlockPayload(ReadMode.COPY), () -> {});
  }

  public NvHBaseBlockCache(
      BlockCache cache, FileIdRegistry fileIds, BlockPayload payload, AutoCloseable bean) {
    this(cache, fileIds, payload, bean, DataTiering.ofThisHBase(), null, System::nanoTime);
  }

  public NvHBaseBlockCache(
      BlockCache cache,
      FileIdRegistry fileIds,
      BlockPayload payload,
      AutoCloseable bean,
      DataTiering tiering,
      @Nullable Configuration site,
      LongSupplier nanoTime) {
    this.cache = cache;
    this.openFiles = new OpenStoreFiles(cache.control().dataSet());
    this.names = new StoreFileNames(cache, fileIds, openFiles::contains);
    this.stats = new NvCacheStats(cache);
    this.bean = bean;
    this.compactions = new Compactions(cache, names, payload, site, nanoTime);
    this.prefetches = new Prefetches(cache, names, WholeFileLog.of(cache, site));
    this.contents = new CacheContents(cache, names);
    this.lookups =
        new BlockLookups(cache, names, payload, stats, compactions, prefetches, secondLookups);
    this.offers =
        new BlockOffers(cache, names, payload, compactions, prefetches, secondLookups, contents);
    this.rangeEvictions = new RangeEvictions(cache, RangeEvictions.MOST_BLOCKS_AT_ONCE);
    this.tiering = tiering;
    this.coldFiles = new ColdFiles(tiering, contents::isNearlyFull, this::evictBlocksByHfileName);
    this.liveSite = new LiveSite(cache.control().settings(), site);
  }

  /** Returns the NVCache that a block cache is or has as its second level. */
  public static Optional<NvHBaseBlockCache> in(
      org.apache.hadoop.hbase.io.hfile.@Nullable BlockCache blockCache) {
    org.apache.hadoop.hbase.io.hfile.BlockCache second =
        blockCache instanceof CombinedBlockCache combined
            ? combined.getSecondLevelCache()
            : blockCache;
    return second instanceof NvHBaseBlockCache found ? Optional.of(found) : Optional.empty();
  }

  /**
   * Joins this cache to one of HBase's DRAM caches, as {@link NvCacheRegionServer} does by default:
   * index and Bloom blocks in DRAM, data blocks here.
   */
  public CombinedBlockCache below(FirstLevelBlockCache dramTier) {
    return Topology.COMBINED.join(dramTier, this);
  }

  /** Returns the compactions on this cache, whose heat it keeps. */
  public Compactions compactions() {
    return compactions;
  }

  /** Returns the engine behind, with its settings and counters. */
  public BlockCache engine() {
    return cache;
  }

  /**
   * Registers an HFile that is served from now on, as the bypass of small data sets needs it;
   * {@link NvCacheRegionObserver} does this for a region server's files. Until the first call, no
   * data set is taken to be small.
   *
   * @param hfileName the last part of the file's path, as in its {@link BlockCacheKey}s
   * @param lengthBytes its length
   */
  public void registerFile(String hfileName, long lengthBytes) {
    openFiles.opened(hfileName, lengthBytes);
    if (names.restores()) {
      names.idOf(hfileName); // Once named, it has the blocks of a former server.
      String parent = StoreFileNames.parentOf(hfileName);
      if (parent != null) {
        names.idOf(parent);
      }
    }
  }

  /** Unregisters an HFile, as often as it was {@linkplain #registerFile registered}. */
  public void unregisterFile(String hfileName) {
    openFiles.closed(hfileName);
  }

  /** Returns the forms in which readers expect blocks. */
  BlockForms forms() {
    return lookups.forms();
  }

  /** Returns the registered files of a region. */
  public RegionFiles filesOf(String encodedRegionName) {
    return contents.regions().filesOf(encodedRegionName);
  }

  /** Unregisters the files of a region that is closed. */
  void closeFilesOf(String encodedRegionName, ClosedRegion closed) {
    contents.regions().close(encodedRegionName, this, closed);
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    try {
      CarriedBlocks.Reader carried = CarriedBlocks.current();
      if (carried != null) {
        carried.take(key, block);
      } else if (isMetaBlock(block.getBlockType()) || !tiering.isCold(key)) {
        offers.offer(key, block);
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

  @Override
  public @Nullable Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    return lookups.get(key, caching, repeat, updateCacheMetrics);
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    return cache.invalidate(names.lookupId(key), key.getOffset());
  }

  /** Forgets all blocks of a file at once and ends its name's use. */
  @Override
  public int evictBlocksByHfileName(String hfileName) {
    names.findCached(hfileName); // With a former server's blocks, which go as well.
    OptionalLong fileId = names.retire(hfileName);
    prefetches.evicted(StoreFileNames.fileOf(hfileName));
    if (fileId.isEmpty()) {
      return 0;
    }
    long blocks = cache.control().countBlocks(fileId.getAsLong());
    cache.invalidateFile(fileId.getAsLong());
    return (int) Math.min(Integer.MAX_VALUE, blocks);
  }

  /**
   * Forgets the blocks of a file between two offsets, both included. HBase from 2.6.3 on calls this
   * when one half of a split file is closed.
   */
  @SuppressWarnings("MissingOverride") // HBase 2.6.1 has no such method.
  public int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset) {
    OptionalLong fileId = names.findCached(hfileName);
    return fileId.isPresent() ? rangeEvictions.evict(fileId.getAsLong(), initOffset, endOffset) : 0;
  }

  /**
   * Returns whether a prefetch of a file that is opened should begin: not where all its blocks are
   * cached, nor within a minute after the cache had no use for what another one fetched.
   */
  @SuppressWarnings("MissingOverride") // HBase 2.6.2 and later have no such method.
  public Optional<Boolean> shouldCacheFile(String hfileName) {
    return Optional.of(prefetches.shouldBegin(hfileName));
  }

  /** Returns whether a prefetch may leave a block out; it marks no block as used. */
  @Override
  public Optional<Boolean> isAlreadyCached(BlockCacheKey key) {
    return Optional.of(prefetches.isCached(key));
  }

  /** Returns what a cached block takes in its file. */
  @Override
  public Optional<Integer> getBlockSize(BlockCacheKey key) {
    return prefetches.onDiskSize(key);
  }

  /**
   * Returns whether blocks of a file may be cached: not if they are cold data by the table's
   * time-based priority. HBase from 2.6.2 on has this method instead of the other, and asks it for
   * each block that anyone reads, so that it must not speak of prefetches.
   */
  @SuppressWarnings("MissingOverride") // HBase 2.6.1 has no such method.
  public Optional<Boolean> shouldCacheFile(HFileInfo file, Configuration configuration) {
    return Optional.of(!tiering.isCold(file, configuration));
  }

  /** Returns whether a block that is written is of hot data by the table's time-based priority. */
  @SuppressWarnings("MissingOverride") // HBase 2.6.1 has no such method.
  public Optional<Boolean> shouldCacheBlock(
      BlockCacheKey key, long maxTimestamp, Configuration configuration) {
    return tiering.isOn()
        ? Optional.of(!tiering.isCold(maxTimestamp, configuration))
        : Optional.empty();
  }

  /**
   * Takes over what may change while the server runs; a bad value leaves all as it is, with a line
   * in the log. HBase calls this from 2.6.4 on, and {@link NvCacheRegionServer} on any release.
   */
  @SuppressWarnings("MissingOverride") // HBase 2.6.1 has no such method.
  public void onConfigurationChange(Configuration changed) {
    try {
      liveSite.read(changed);
    } catch (IllegalArgumentException e) {
      LOG.error("NVCache keeps its settings: {}", e.getMessage());
    }
  }

  /**
   * Returns whether the calling thread's prefetch is to continue. It has offered the block already;
   * it is to end where too many of its blocks were refused.
   */
  @Override
  public Optional<Boolean> blockFitsIntoTheCache(HFileBlock block) {
    return Optional.of(prefetches.goesOn());
  }

  /** Remembers a file that a prefetch has read to its end, if the cache took each of its blocks. */
  @Override
  public void notifyFileCachingCompleted(
      Path file, int totalBlockCount, int dataBlockCount, long size) {
    prefetches.completed(file, size);
  }

  /**
   * Returns region and bytes of the files that were prefetched whole and still are cached whole.
   */
  @Override
  public Optional<Map<String, Pair<String, Long>>> getFullyCachedFiles() {
    return Optional.of(prefetches.wholeFiles());
  }

  /** Returns the bytes on disk of the cached blocks, by the encoded name of their region. */
  @Override
  public Optional<Map<String, Long>> getRegionCachedInfo() {
    return Optional.of(contents.bytesByRegion());
  }

  @Override
  public CacheStats getStats() {
    return stats;
  }

  /** Blocks read back that were not what had been written: dropped, and counted as misses. */
  public long corruptBlocks() {
    return stats.corruptBlocks() + cache.control().health().checksumFailures();
  }

  /** Closes the cache. HBase calls this twice. */
  @Override
  public void shutdown() {
    try {
      bean.close();
    } catch (Exception e) {
      LOG.warn("The cache's MBean did not unregister", e);
    }
    coldFiles.close();
    rangeEvictions.close();
    compactions.close();
    cache.close();
    secondLookups.close();
  }

  @Override
  public long size() {
    return getMaxSize();
  }

  @Override
  public long getMaxSize() {
    return contents.capacityBytes();
  }

  @Override
  public long getFreeSize() {
    return contents.freeBytes();
  }

  @Override
  public long getCurrentSize() {
    return contents.usedBytes();
  }

  @Override
  public long getCurrentDataSize() {
    return contents.dataBytes();
  }

  @Override
  public long getBlockCount() {
    return contents.blocks();
  }

  @Override
  public long getDataBlockCount() {
    return contents.dataBlocks();
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return contents.iterator();
  }

  @Override
  public boolean isMetaBlock(@Nullable BlockType blockType) {
    return MetaFirst.isMeta(blockType);
  }

  @Override
  public org.apache.hadoop.hbase.io.hfile.BlockCache @Nullable [] getBlockCaches() {
    return null;
  }
}
