// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import java.nio.ByteBuffer;
import org.ehcache.Cache;
import org.ehcache.CacheManager;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;
import org.ehcache.config.units.MemoryUnit;
import org.ehcache.spi.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Ehcache 3, off the heap only. Its serializer copies into the caller's buffer, which spares it a
 * new array for each hit. It has no way to read in place.
 */
final class EhcacheContender implements Contender {
  /**
   * What Ehcache needs beyond the blocks, its tables and expiry stamps: about the least with which
   * it holds them all, since it takes all of its memory when it is opened.
   */
  private static final int OVERHEAD_BYTES = 192;

  private static final int FIXED_BYTES = 4 << 20;

  private final CacheManager manager;
  private final Cache<Long, ByteBuffer> cache;

  EhcacheContender(int blockBytes, int capacityBlocks) {
    long capacityBytes = (long) capacityBlocks * (blockBytes + OVERHEAD_BYTES) + FIXED_BYTES;
    this.manager = CacheManagerBuilder.newCacheManagerBuilder().build(true);
    this.cache =
        manager.createCache(
            "blocks",
            CacheConfigurationBuilder.newCacheConfigurationBuilder(
                    Long.class,
                    ByteBuffer.class,
                    ResourcePoolsBuilder.newResourcePoolsBuilder()
                        .offheap(capacityBytes, MemoryUnit.B))
                .withValueSerializer(new BlockSerializer())
                .build());
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    BlockSerializer.TARGET.set(dst);
    return cache.get(key) != null;
  }

  @Override
  public boolean isZeroCopy() {
    return false;
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    throw new UnsupportedOperationException("Ehcache has no access in place");
  }

  @Override
  public void put(long key, ByteBuffer block) {
    cache.put(key, block);
  }

  @Override
  public void close() {
    manager.close();
  }

  private static final class BlockSerializer implements Serializer<ByteBuffer> {
    /** Where the block that the thread reads goes; not set while it writes. */
    static final ThreadLocal<@Nullable ByteBuffer> TARGET = new ThreadLocal<>();

    @Override
    public ByteBuffer serialize(ByteBuffer block) {
      return block.duplicate();
    }

    @Override
    public ByteBuffer read(ByteBuffer stored) {
      ByteBuffer dst = TARGET.get();
      if (dst == null) {
        dst = ByteBuffer.allocate(stored.remaining());
      }
      return dst.put(stored);
    }

    @Override
    public boolean equals(ByteBuffer block, ByteBuffer stored) {
      return block.equals(stored);
    }
  }
}
