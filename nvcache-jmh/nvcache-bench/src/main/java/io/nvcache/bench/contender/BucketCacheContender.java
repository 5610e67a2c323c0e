// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.jspecify.annotations.Nullable;

/**
 * HBase's BucketCache off the heap or in a file, with a bucket size made to measure. Its own
 * threads write what is put in; without a time to wait for them it would drop inserts without a
 * word.
 */
public final class BucketCacheContender implements Contender {
  private static final int HEADER_BYTES = HConstants.HFILEBLOCK_HEADER_SIZE;

  /** Header, trailing metadata and rounding. */
  private static final int BUCKET_EXTRA_BYTES = 256;

  /** BucketCache keeps 5 % free. */
  private static final double SHARE_IN_USE = 0.94;

  private static final int MAX_FILES = 1 << 17;
  private static final int WRITERS = 3;
  private static final int QUEUE_LENGTH = 64;
  private static final long WAIT_MILLIS = 10_000;

  private final BucketCache cache;
  private final int blockBytes;
  private final HFileContext context =
      new HFileContextBuilder().withHBaseCheckSum(false).withBlockSize(4096).build();

  /** A name is made once for each file, as in a store. */
  private final AtomicReferenceArray<String> names = new AtomicReferenceArray<>(MAX_FILES);

  BucketCacheContender(int blockBytes, int capacityBlocks) {
    this(blockBytes, capacityBlocks, "offheap", null);
  }

  /**
   * In a file, with the map in another one, which is written as HBase does by default. What lies
   * there is found again.
   */
  public BucketCacheContender(int blockBytes, int capacityBlocks, Path data, Path map) {
    this(blockBytes, capacityBlocks, "file:" + data, map.toString());
  }

  private BucketCacheContender(
      int blockBytes, int capacityBlocks, String ioEngine, @Nullable String map) {
    this.blockBytes = blockBytes;
    // A map that is read names the kinds of blocks by numbers that their classes give out.
    HFileBlock.BLOCK_DESERIALIZER.getDeserializerIdentifier();
    int bucketBytes = blockBytes + BUCKET_EXTRA_BYTES;
    Configuration configuration = new Configuration(false);
    configuration.setLong("hbase.bucketcache.queue.addition.waittime", WAIT_MILLIS);
    try {
      this.cache =
          new BucketCache(
              ioEngine,
              (long) (capacityBlocks / SHARE_IN_USE * bucketBytes),
              blockBytes,
              new int[] {bucketBytes},
              WRITERS,
              QUEUE_LENGTH,
              map,
              60_000,
              configuration);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private BlockCacheKey key(long key) {
    int file = (int) BlockNumbering.fileId(key) % MAX_FILES;
    String name = names.get(file);
    if (name == null) {
      name = String.format("%032x", BlockNumbering.fileId(key));
      names.set(file, name);
    }
    return new BlockCacheKey(name, BlockNumbering.offset(key, blockBytes), true, BlockType.DATA);
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    Cacheable block = cache.getBlock(key(key), true, false, true);
    if (block == null) {
      return false;
    }
    try {
      ByteBuff bytes = ((HFileBlock) block).getBufferReadOnly();
      bytes.get(dst, HEADER_BYTES, blockBytes);
      return true;
    } finally {
      block.release();
    }
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    Cacheable block = cache.getBlock(key(key), true, false, true);
    if (block == null) {
      return ABSENT;
    }
    try {
      return ((HFileBlock) block).getBufferReadOnly().getLong(HEADER_BYTES + at);
    } finally {
      block.release();
    }
  }

  /** Hands a copy over, since the writers come to it later. */
  @Override
  public void put(long key, ByteBuffer block) {
    ByteBuffer copy = ByteBuffer.allocate(HEADER_BYTES + blockBytes);
    copy.put(HEADER_BYTES, block, block.position(), blockBytes);
    HFileBlock handedOver =
        new HFileBlock(
            BlockType.DATA,
            blockBytes,
            blockBytes,
            -1,
            ByteBuff.wrap(copy),
            true,
            BlockNumbering.offset(key, blockBytes),
            -1,
            HEADER_BYTES + blockBytes,
            context,
            ByteBuffAllocator.HEAP);
    cache.cacheBlock(key(key), handedOver, false, true);
    handedOver.release();
  }

  @Override
  public void replace(long key, ByteBuffer block) {
    cache.evictBlock(key(key));
    put(key, block);
  }

  /** Returns how many blocks were written, or found. */
  public long blocks() {
    return cache.getBlockCount();
  }

  /** Returns whether each block that the map names was looked at, where that is necessary. */
  public boolean isValidated() {
    return cache.getBackingMapValidated().get();
  }

  /** Until the blocks that were written are no more for a while. */
  @Override
  public void settle() {
    long before = -1;
    for (long now = cache.getBlockCount(); now != before; now = cache.getBlockCount()) {
      before = now;
      try {
        Thread.sleep(300);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public void close() {
    cache.shutdown();
  }
}
