// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.hbase.blocks.BlockForms;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.SecondLookups;
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.compaction.CarriedBlocks;
import io.nvcache.hbase.compaction.CompactionScope;
import io.nvcache.hbase.compaction.Compactions;
import io.nvcache.hbase.files.StoreFileNames;
import io.nvcache.hbase.prefetch.Prefetches;
import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers HBase's lookups. A block that can't be read back is a miss. Thread-safe.
 *
 * <p>A lookup brings a key and three flags, which is not enough to answer it. What the calling
 * thread does is known from thread-locals, and what became of the block and its file from tables
 * next to the engine. A lookup meets them in this order:
 *
 * <ol>
 *   <li>{@link CarriedBlocks#current}, a thread-local: the thread reads back a block that a
 *       compaction has written, in order to cache it. HBase's reader asks the cache before the
 *       file, so this lookup is answered with a miss, and not counted.
 *   <li>{@link StoreFileNames}, a table of the files' ids by name: the engine knows files by ids,
 *       which are never used again. It also knows whose half a file is: after a split, HBase asks
 *       by a half's name for the blocks of the parent.
 *   <li>{@link SecondLookups}, two tables of the blocks that were taken and refused a moment ago:
 *       HBase looks each block that it has missed up once more. Only if it was taken since does the
 *       engine get to see this lookup: admission counts lookups, and would count each miss twice.
 *   <li>{@link ThreadSource#current}, a thread-local with the name of the thread behind it: what a
 *       compaction reads is not counted as a lookup, because the blocks are about to go. {@link
 *       Compactions#read} asks {@link CompactionScope#current}, a thread-local again, which
 *       compaction it is, so that the heat of the block goes to what the compaction writes.
 *   <li>{@link ThreadSource} once more, from {@link BlockPayload#decode}: only gets read a block in
 *       place. All others keep cells of it for longer than the block, and get a copy.
 *   <li>{@link BlockForms}, a table of open files: HBase fails on a compressed block where it
 *       expects an unpacked one. A block of the wrong form, cached before an {@code alter}, is
 *       dropped.
 *   <li>{@link Prefetches#found}, with a thread-local for the file that the thread prefetches: each
 *       block that it finds here counts against those that it fetches in vain.
 * </ol>
 *
 * <p>The thread-locals are set by {@link NvCacheRegionObserver}, around gets, scans, flushes and
 * compactions, and by {@link CarriedBlocks} around its own reads.
 */
final class BlockLookups {
  private static final Logger LOG = LoggerFactory.getLogger(BlockLookups.class);

  private final BlockCache cache;
  private final StoreFileNames names;
  private final BlockPayload payload;
  private final NvCacheStats stats;
  private final Compactions compactions;
  private final Prefetches prefetches;
  private final SecondLookups secondLookups;
  private final BlockForms forms = new BlockForms();

  BlockLookups(
      BlockCache cache,
      StoreFileNames names,
      BlockPayload payload,
      NvCacheStats stats,
      Compactions compactions,
      Prefetches prefetches,
      SecondLookups secondLookups) {
    this.cache = cache;
    this.names = names;
    this.payload = payload;
    this.stats = stats;
    this.compactions = compactions;
    this.prefetches = prefetches;
    this.secondLookups = secondLookups;
  }

  /** Returns the forms in which readers expect blocks. */
  BlockForms forms() {
    return forms;
  }

  /** Answers {@link org.apache.hadoop.hbase.io.hfile.BlockCache#getBlock}. */
  @Nullable Cacheable get(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    if (CarriedBlocks.current() != null) {
      return null; // What is read back is known not to be cached.
    }
    long fileId = names.idOf(key.getHfileName());
    boolean taken = secondLookups.wasTaken(fileId, key.getOffset());
    Cacheable block =
        repeat && !taken ? secondLookups.refusedBlock(fileId, key.getOffset()) : find(fileId, key);
    if (block != null && !forms.fits(key.getHfileName(), block)) {
      block.release();
      cache.invalidate(names.lookupId(fileId, key), key.getOffset());
      block = null;
    }
    if (block == null && taken) {
      secondLookups.evicted(fileId, key.getOffset());
    }
    if (updateCacheMetrics) {
      if (block != null) {
        stats.hit(caching, key.isPrimary(), key.getBlockType());
      } else if (!repeat) {
        stats.miss(caching, key.isPrimary(), key.getBlockType());
      }
    } else if (block != null && Prefetches.isCurrent()) {
      prefetches.found(key.getHfileName());
    }
    return block;
  }

  private @Nullable Cacheable find(long nameId, BlockCacheKey key) {
    long offset = key.getOffset();
    long fileId = names.lookupId(nameId, key);
    return decode(
        ThreadSource.current() == Source.COMPACTION // MOB cells are read with caching on.
            ? compactions.read(fileId, offset)
            : cache.pinOrCopy(fileId, offset),
        fileId,
        key);
  }

  private @Nullable Cacheable decode(@Nullable PinnedBlock pin, long fileId, BlockCacheKey key) {
    if (pin == null) {
      return null;
    }
    try {
      return payload.decode(pin);
    } catch (IOException | RuntimeException e) {
      stats.countCorruptBlock();
      LOG.warn("Dropping {}, which can't be read back", key, e);
      cache.invalidate(fileId, key.getOffset());
      return null;
    }
  }
}
