// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.Incarnations;
import io.nvcache.cassandra.tier.Tier;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one open data file. Cassandra reads a file chunk by chunk, always from the same
 * offsets, so a read is served if a block was cached at its offset that is long enough: a chunk is
 * read with or without the checksum behind it, as {@code crc_check_chance} has it.
 *
 * <p>The bytes are those on the disk. That they are still those that were cached is checked by the
 * cache, which must have checksums: Cassandra checks compressed chunks itself, but takes a mismatch
 * for a corrupt SSTable, and does not check uncompressed ones at all. That the disk returned them
 * right is checked by {@link ChunkSums}, where it can be.
 *
 * <p>What compactions read is served as well, but does not count as a lookup of the cache.
 *
 * <p>On a hit: no lock, no allocation, no counter but the cache's own. Thread-safe.
 */
public final class ChunkReads extends CountedFile {
  /** Of the compressors, Snappy may lengthen a chunk most: by 1/6 of it and 32 bytes. */
  private static final int SIXTH = 6;

  /** Besides that sixth: Snappy's bytes, the checksum, the lengths that compressors put before. */
  private static final int LENGTHENED_BYTES = 64;

  /** A read of more bytes is a scan that reads ahead. */
  private final int longestChunkBytes;

  /** Null if the file is not compressed. */
  private final @Nullable ChunkSums sums;

  /**
   * Whether a cached chunk was longer than a read of it. What is asked for in full costs one copy
   * less, so that is tried first; the exception that a longer chunk costs is thrown once a file.
   */
  private volatile boolean readsParts;

  /** Reads a file that is not compressed. */
  public ChunkReads(Tier tier, Incarnations.Incarnation file, int chunkBytes) {
    this(tier, file, chunkBytes, null);
  }

  /** Reads a file that is compressed if {@code sums} is not null. */
  public ChunkReads(
      Tier tier, Incarnations.Incarnation file, int chunkBytes, @Nullable ChunkSums sums) {
    super(tier, file);
    this.longestChunkBytes = chunkBytes + chunkBytes / SIXTH + LENGTHENED_BYTES;
    this.sums = sums;
  }

  @Override
  public int read(ByteBuffer dst, long position) {
    BlockCache cache = tier.serving();
    int wanted = wanted(position, dst.remaining());
    if (cache == null || wanted <= ChunkSums.SUM_BYTES || wanted > longestChunkBytes) {
      return 0;
    }
    int start = dst.position();
    try {
      if (tier.isCompacting()) {
        return readForCompaction(cache, dst, position, wanted);
      }
      int served = load(cache, dst, position);
      if (served >= wanted) {
        return served;
      }
      dst.position(start);
      if (served != BlockCache.MISS) {
        // Gone before the chunk is offered again, which would be refused as cached already.
        cache.invalidate(file.id(), position);
        tier.bypasses().count(Bypass.CACHED_TOO_SHORT);
      }
    } catch (RuntimeException | Error e) {
      dst.position(start);
      failed(e);
    }
    return 0;
  }

  /**
   * Serves a read of a compaction, which does not count as a lookup: blocks of files that are about
   * to go are not marked as used, and what was missed is not wanted again.
   */
  private int readForCompaction(BlockCache cache, ByteBuffer dst, long position, int wanted) {
    HotCompaction compaction = HotCompaction.current();
    int start = dst.position();
    if (compaction == null) {
      boolean found = cache.control().peek(file.id(), position, dst) != BlockCache.MISS;
      if (!found || dst.position() - start < wanted) {
        dst.position(start);
      }
    } else {
      PinnedBlock block = compaction.read(this, position, dst.remaining());
      if (block != null && block.length() >= wanted) {
        dst.put(block.buffer().limit(Math.min(block.length(), dst.remaining())));
      }
    }
    int served = dst.position() - start;
    if (served > 0) {
      tier.compactionHits().increment();
    }
    return served;
  }

  private int load(BlockCache cache, ByteBuffer dst, long position) {
    if (!readsParts) {
      try {
        return cache.get(file.id(), position, dst);
      } catch (BufferOverflowException e) {
        readsParts = true;
      }
    }
    return cache.getRange(file.id(), position, 0, dst);
  }

  @Override
  public void missed(ByteBuffer dst, long position, int bytes) {
    BlockCache cache = tier.serving();
    if (cache == null || isReleased()) {
      return;
    }
    try {
      int wanted = wanted(position, bytes + dst.remaining());
      if (wanted <= ChunkSums.SUM_BYTES) {
        return; // The checksum of a chunk that is not compressed, read by itself: no chunk.
      }
      Bypass reason = reasonNotToOffer(wanted, bytes);
      if (reason != null) {
        tier.bypasses().count(reason);
        return;
      }
      int end = dst.position();
      ByteBuffer chunk = dst.duplicate().position(end - bytes).limit(end);
      if (sums != null && !sums.allow(chunk)) {
        tier.bypasses().count(Bypass.WRONG_SUM);
        return;
      }
      cache.offer(file.id(), position, chunk, Source.READ);
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private @Nullable Bypass reasonNotToOffer(int wanted, int bytes) {
    if (wanted > longestChunkBytes) {
      return Bypass.SCAN_READ_AHEAD;
    }
    if (bytes != wanted) {
      return Bypass.SHORT_READ;
    }
    return tier.isCompacting() ? Bypass.COMPACTION_READ : null;
  }

  /** How many bytes the file can give: reads of the last chunk ask for more than there is. */
  private int wanted(long position, int asked) {
    return (int) Math.min(asked, file.lengthBytes() - position);
  }
}
