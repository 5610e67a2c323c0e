// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.caffinitas.ohc.CacheSerializer;
import org.caffinitas.ohc.DirectValueAccess;
import org.caffinitas.ohc.Eviction;
import org.caffinitas.ohc.OHCache;
import org.caffinitas.ohc.OHCacheBuilder;

/**
 * OHC (Cassandra's off-heap row cache) in its linked form, which can be read in place; the chunked
 * one can't.
 */
final class OhcContender implements Contender {
  /** What OHC puts before each key and value, and charges to the capacity. */
  private static final int HEADER_BYTES = 64;

  private static final int SEGMENTS = 16;

  private final OHCache<Long, ByteBuffer> cache;

  OhcContender(int blockBytes, int capacityBlocks) {
    long entryBytes = (long) HEADER_BYTES + Long.BYTES + blockBytes;
    this.cache =
        OHCacheBuilder.<Long, ByteBuffer>newBuilder()
            .keySerializer(new KeySerializer())
            .valueSerializer(new BlockSerializer())
            .segmentCount(SEGMENTS)
            .hashTableSize(Integer.highestOneBit(Math.max(16, capacityBlocks / SEGMENTS)) * 2)
            .capacity(entryBytes * capacityBlocks)
            .maxEntrySize(entryBytes * 2)
            .eviction(Eviction.LRU)
            .build();
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    try (DirectValueAccess access = cache.getDirect(key)) {
      if (access == null) {
        return false;
      }
      dst.put(access.buffer());
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    try (DirectValueAccess access = cache.getDirect(key)) {
      return access == null ? ABSENT : access.buffer().getLong(at);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void put(long key, ByteBuffer block) {
    cache.put(key, block);
  }

  @Override
  public void close() {
    try {
      cache.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class KeySerializer implements CacheSerializer<Long> {
    @Override
    public void serialize(Long key, ByteBuffer out) {
      out.putLong(key);
    }

    @Override
    public Long deserialize(ByteBuffer in) {
      return in.getLong();
    }

    @Override
    public int serializedSize(Long key) {
      return Long.BYTES;
    }
  }

  private static final class BlockSerializer implements CacheSerializer<ByteBuffer> {
    @Override
    public void serialize(ByteBuffer block, ByteBuffer out) {
      out.put(block.duplicate());
    }

    @Override
    public ByteBuffer deserialize(ByteBuffer in) {
      throw new UnsupportedOperationException("blocks are read in place");
    }

    @Override
    public int serializedSize(ByteBuffer block) {
      return block.remaining();
    }
  }
}
