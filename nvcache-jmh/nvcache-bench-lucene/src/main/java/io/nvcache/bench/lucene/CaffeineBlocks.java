// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Blocks in slabs of direct memory, found by a Caffeine cache: written as the block cache of Solr's
 * HDFS module, {@code org.apache.solr.store.blockcache.BlockCache}, which Solr 10 dropped.
 * Thread-safe.
 */
final class CaffeineBlocks {
  static final int BLOCK_BYTES = 16 << 10;
  private static final int SLAB_BLOCKS = 1 << 10;

  /** Room for blocks that come in before those that they displace have gone. */
  private static final int SPARE = 32;

  private final Cache<Key, Block> blocks;
  private final ConcurrentLinkedQueue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  private record Key(String file, long offset) {}

  /** Memory of a block, which goes back once it is out of the cache and no thread copies it. */
  private final class Block {
    final ByteBuffer bytes;
    private final AtomicInteger users = new AtomicInteger(1);

    Block(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    boolean enter() {
      for (int seen = users.get(); seen > 0; seen = users.get()) {
        if (users.compareAndSet(seen, seen + 1)) {
          return true;
        }
      }
      return false;
    }

    void leave() {
      if (users.decrementAndGet() == 0) {
        free.add(bytes);
      }
    }
  }

  CaffeineBlocks(long capacityBytes) {
    int count = Math.toIntExact(capacityBytes / BLOCK_BYTES);
    for (int made = 0; made < count + SPARE; made += SLAB_BLOCKS) {
      int inSlab = Math.min(SLAB_BLOCKS, count + SPARE - made);
      ByteBuffer slab = ByteBuffer.allocateDirect(inSlab * BLOCK_BYTES);
      for (int i = 0; i < inSlab; i++) {
        free.add(slab.slice(i * BLOCK_BYTES, BLOCK_BYTES));
      }
    }
    blocks =
        Caffeine.newBuilder()
            .maximumSize(count)
            .executor(Runnable::run)
            .removalListener(
                (@Nullable Key key, @Nullable Block block, RemovalCause cause) -> {
                  if (block != null) {
                    block.leave();
                  }
                })
            .build();
  }

  /**
   * Copies a part of a block to the position of {@code dst}, which stays.
   *
   * @param counted whether this is a lookup of its own, for the hit ratio
   * @return whether the block was cached
   */
  boolean copy(String file, long offset, int from, int count, ByteBuffer dst, boolean counted) {
    Block block = blocks.getIfPresent(new Key(file, offset));
    boolean hit = block != null && block.enter();
    if (hit && block != null) {
      try {
        dst.put(dst.position(), block.bytes, from, count);
      } finally {
        block.leave();
      }
    }
    if (counted) {
      (hit ? hits : misses).increment();
    }
    return hit;
  }

  void keep(String file, long offset, byte[] read) {
    ByteBuffer room = free.poll();
    if (room == null) {
      return; // Those that were evicted are being copied now.
    }
    room.put(0, read);
    Block fresh = new Block(room);
    if (blocks.asMap().putIfAbsent(new Key(file, offset), fresh) != null) {
      fresh.leave();
    }
  }

  void forget(String file) {
    blocks.asMap().keySet().removeIf(key -> key.file().equals(file));
  }

  long hits() {
    return hits.sum();
  }

  long lookups() {
    return hits.sum() + misses.sum();
  }
}
