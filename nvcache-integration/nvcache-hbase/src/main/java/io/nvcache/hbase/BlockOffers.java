// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.BlockRank;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.MetaFirst;
import io.nvcache.hbase.blocks.SecondLookups;
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.compaction.Compactions;
import io.nvcache.hbase.files.StoreFileNames;
import io.nvcache.hbase.prefetch.Prefetches;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * Offers to the engine what HBase wants cached. Not each block: one of a half of a split file that
 * is cached as the parent's is there already, and what a compaction writes may wait for its commit.
 * Thread-safe.
 *
 * <p>Who offers is known from {@link ThreadSource}, as {@link BlockLookups} says of lookups. An
 * offer meets one thread-local more: {@link MetaFirst.Claim} says to admission, which the engine
 * asks on the same thread, that the block is an index's or a Bloom filter's.
 */
final class BlockOffers {
  private final BlockCache cache;
  private final StoreFileNames names;
  private final BlockPayload payload;
  private final Compactions compactions;
  private final Prefetches prefetches;
  private final SecondLookups secondLookups;
  private final CacheContents contents;

  BlockOffers(
      BlockCache cache,
      StoreFileNames names,
      BlockPayload payload,
      Compactions compactions,
      Prefetches prefetches,
      SecondLookups secondLookups,
      CacheContents contents) {
    this.cache = cache;
    this.names = names;
    this.payload = payload;
    this.compactions = compactions;
    this.prefetches = prefetches;
    this.secondLookups = secondLookups;
    this.contents = contents;
  }

  /** Offers a block that has a serialized form. */
  void offer(BlockCacheKey key, Cacheable block) {
    int lengthBytes = payload.lengthBytes(block);
    if (lengthBytes == 0) {
      return;
    }
    long fileId = names.idOf(key.getHfileName());
    if (names.lookupId(fileId, key) != fileId) {
      secondLookups.taken(fileId, key.getOffset()); // Of a half, and cached as the parent's.
      return;
    }
    Source source = ThreadSource.current();
    boolean meta = MetaFirst.isMeta(block.getBlockType());
    if (!meta && source == Source.COMPACTION && !compactions.offers(key, block, lengthBytes)) {
      return;
    }
    OfferResult result =
        meta
            ? offerMeta(key, fileId, block, lengthBytes, source)
            : offer(key, fileId, block, lengthBytes, source, BlockRank.ORDINARY);
    if (result == OfferResult.ADMITTED) {
      if (!names.isCurrent(key.getHfileName(), fileId)) {
        cache.invalidate(fileId, key.getOffset()); // The file was evicted in between.
        return;
      }
      contents.admitted(key, block, lengthBytes);
    }
    if (result == OfferResult.ADMITTED || result == OfferResult.ALREADY_CACHED) {
      secondLookups.taken(fileId, key.getOffset());
    } else if (result != OfferResult.CLOSED && (source == Source.READ || source == Source.SCAN)) {
      secondLookups.refused(fileId, key.getOffset(), lengthBytes, block);
    }
    compactions.endTheLost();
    names.purgeIfGrown();
  }

  private OfferResult offerMeta(
      BlockCacheKey key, long fileId, Cacheable block, int lengthBytes, Source source) {
    MetaFirst.Claim claim = MetaFirst.Claim.begin();
    try {
      return offer(key, fileId, block, lengthBytes, source, BlockRank.IMPORTANT);
    } finally {
      claim.end();
    }
  }

  private OfferResult offer(
      BlockCacheKey key,
      long fileId,
      Cacheable block,
      int lengthBytes,
      Source source,
      BlockRank rank) {
    try (BlockPayload.Offered bytes = payload.new Offered(block)) {
      return source == Source.PREFETCH
          ? prefetches.offer(key.getHfileName(), fileId, key.getOffset(), lengthBytes, bytes, rank)
          : cache.offer(fileId, key.getOffset(), lengthBytes, bytes, source, rank);
    }
  }
}
