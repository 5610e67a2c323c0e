// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Caffeine with blocks as arrays on the heap. */
final class CaffeineHeapContender implements Contender {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final Cache<Long, byte[]> cache;

  CaffeineHeapContender(int capacityBlocks) {
    this.cache =
        Caffeine.newBuilder().initialCapacity(capacityBlocks).maximumSize(capacityBlocks).build();
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    byte[] block = cache.getIfPresent(key);
    if (block == null) {
      return false;
    }
    dst.put(block);
    return true;
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    byte[] block = cache.getIfPresent(key);
    return block == null ? ABSENT : (long) LONGS.get(block, at);
  }

  @Override
  public void put(long key, ByteBuffer block) {
    byte[] bytes = new byte[block.remaining()];
    block.get(block.position(), bytes);
    cache.put(key, bytes);
  }

  @Override
  public void settle() {
    cache.cleanUp();
  }

  @Override
  public void close() {
    cache.invalidateAll();
  }
}
