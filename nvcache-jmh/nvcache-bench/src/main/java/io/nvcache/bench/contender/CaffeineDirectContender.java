// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Caffeine with blocks in direct buffers, which are used again when their block is evicted:
 * allocating them again would cost far more. It is spared the reference counts that keep a buffer
 * from being used again under a reader.
 */
final class CaffeineDirectContender implements Contender {
  private final Cache<Long, ByteBuffer> cache;
  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final int blockBytes;

  CaffeineDirectContender(int blockBytes, int capacityBlocks) {
    this.blockBytes = blockBytes;
    this.cache =
        Caffeine.newBuilder()
            .initialCapacity(capacityBlocks)
            .maximumSize(capacityBlocks)
            // Else buffers come back late, and writers allocate more of them.
            .executor(Runnable::run)
            .removalListener(this::reuse)
            .build();
  }

  private void reuse(@Nullable Long key, @Nullable ByteBuffer block, RemovalCause cause) {
    if (block != null) {
      free.add(block);
    }
  }

  @Override
  public boolean get(long key, ByteBuffer dst) {
    ByteBuffer block = cache.getIfPresent(key);
    if (block == null) {
      return false;
    }
    int position = dst.position();
    dst.put(position, block, 0, blockBytes).position(position + blockBytes);
    return true;
  }

  @Override
  public long touch(long key, int at, ByteBuffer word) {
    ByteBuffer block = cache.getIfPresent(key);
    return block == null ? ABSENT : block.getLong(at);
  }

  @Override
  public void put(long key, ByteBuffer block) {
    ByteBuffer copy = free.poll();
    if (copy == null) {
      copy = ByteBuffer.allocateDirect(blockBytes);
    }
    copy.put(0, block, block.position(), blockBytes);
    cache.put(key, copy);
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
