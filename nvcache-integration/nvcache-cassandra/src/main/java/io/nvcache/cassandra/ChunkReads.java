// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.cassandra.agent.CachedFile;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The reads of one open data file. Cassandra reads a file chunk by chunk, always from the same
 * offsets, so a read is served if a block was cached at its offset that is long enough: a chunk is
 * read with or without the checksum behind it, as {@code crc_check_chance} has it.
 *
 * <p>On a hit: no lock, no allocation, no counter but the cache's own. Thread-safe.
 */
final class ChunkReads extends CachedFile {
  /** A read of more chunks than this is a scan reading ahead. */
  private static final int CHUNKS_OF_A_READ = 2;

  private final Tier tier;
  private final Incarnations.Incarnation file;
  private final int longestRead;
  private final AtomicBoolean released = new AtomicBoolean();

  ChunkReads(Tier tier, Incarnations.Incarnation file, int chunkBytes) {
    this.tier = tier;
    this.file = file;
    this.longestRead = CHUNKS_OF_A_READ * chunkBytes;
  }

  @Override
  public int read(ByteBuffer dst, long position) {
    BlockCache cache = tier.serving();
    int wanted = wanted(position, dst.remaining());
    if (cache == null || wanted <= 0 || wanted > longestRead) {
      return 0;
    }
    try {
      return read(cache, dst, position, wanted);
    } catch (RuntimeException | Error e) {
      failed(e);
      return 0;
    }
  }

  private int read(BlockCache cache, ByteBuffer dst, long position, int wanted) {
    SealedBlock block = SealedBlock.ofThread();
    int length = block.load(cache, file.id(), position, wanted, longestRead);
    if (length >= wanted) {
      block.copyTo(dst, wanted);
      return wanted;
    }
    if (length != SealedBlock.MISS) {
      // Gone before the chunk is offered again, which would be refused as cached already.
      cache.invalidate(file.id(), position);
      tier.bypasses()
          .count(length == SealedBlock.BROKEN ? Bypass.CHECKSUM_MISMATCH : Bypass.CACHED_TOO_SHORT);
    }
    return 0;
  }

  @Override
  public void missed(ByteBuffer dst, long position, int bytes) {
    BlockCache cache = tier.serving();
    if (cache == null || released.get()) {
      return;
    }
    try {
      int wanted = wanted(position, bytes + dst.remaining());
      Bypass reason = reasonNotToOffer(wanted, bytes);
      if (reason != null) {
        tier.bypasses().count(reason);
        return;
      }
      ByteBuffer sealed =
          SealedBlock.ofThread().seal(file.id(), position, dst, dst.position() - bytes, bytes);
      cache.offer(file.id(), position, sealed, Source.READ);
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private @Nullable Bypass reasonNotToOffer(int wanted, int bytes) {
    if (wanted > longestRead) {
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

  private void failed(Throwable e) {
    tier.bypasses().count(Bypass.FAILURE);
    NodeLog.failed(e);
  }

  @Override
  public void release() {
    if (released.compareAndSet(false, true)) {
      try {
        tier.closed(file);
      } catch (RuntimeException | Error e) {
        failed(e);
      }
    }
  }
}
