// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import io.nvcache.background.SafeLog;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks kept in DRAM: a Caffeine cache bounded in bytes.
 *
 * <p>A block whose {@link Incarnation} has ended is never given out; it takes up room until the
 * next {@link #sweep}.
 */
final class DramTier {
  /**
   * The cost of one block in addition to its bytes: key, buffer, entry, and Caffeine's node and
   * table slot. Measured as 211 and 339 bytes a block with compressed references, plus what malloc
   * adds.
   */
  static final int HEAP_OVERHEAD_BYTES = 216;

  static final int DIRECT_OVERHEAD_BYTES = 360;

  private static final Logger LOG = LoggerFactory.getLogger(DramTier.class);

  private final Cache<BlockKey, Entry> entries;
  private final Policy.Eviction<BlockKey, Entry> bound;
  private final Executor executor;
  private final DramValues kind;
  private final AtomicBoolean sweepAhead = new AtomicBoolean();

  DramTier(long maxBytes, DramValues kind, Executor executor) {
    this.kind = kind;
    this.executor = executor;
    entries =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((BlockKey key, Entry entry) -> entry.weightBytes)
            .executor(executor)
            .recordStats()
            .build();
    bound = entries.policy().eviction().orElseThrow();
  }

  /** Returns the block, read-only, or {@code null}; counted as a hit or a miss. */
  @Nullable ByteBuffer get(BlockKey key) {
    return live(entries.getIfPresent(key));
  }

  /** Like {@link #get}, but a second look by one call: neither counted nor seen by the policy. */
  @Nullable ByteBuffer peek(BlockKey key) {
    return live(entries.policy().getIfPresentQuietly(key));
  }

  private static @Nullable ByteBuffer live(@Nullable Entry entry) {
    return entry == null || entry.file.isGone() ? null : entry.block();
  }

  /** Keeps a block that no caller changes any more. */
  void put(BlockKey key, ByteBuffer block, Incarnation file) {
    entries.put(key, new Entry(block, file, kind == DramValues.DIRECT && !block.isDirect()));
  }

  boolean remove(BlockKey key) {
    return live(entries.asMap().remove(key)) != null;
  }

  /**
   * Frees the room of the blocks whose incarnation has ended, on the executor. One pass serves all
   * the files that ended before it began.
   */
  void sweep() {
    if (sweepAhead.compareAndSet(false, true)) {
      try {
        executor.execute(this::removeEnded);
      } catch (RuntimeException | Error e) {
        // The file is hidden all the same, and its blocks, which no caller asks for, are evicted in
        // time.
        sweepAhead.set(false);
        SafeLog.error(LOG, "the executor {} took no {}", executor, "upkeep of the DRAM tier", e);
      }
    }
  }

  private void removeEnded() {
    sweepAhead.set(false); // before the pass: a file that ends during it asks for another
    entries.asMap().values().removeIf(entry -> entry.file.isGone());
  }

  void clear() {
    entries.invalidateAll();
  }

  CacheStats stats() {
    return entries.stats();
  }

  long blocks() {
    return entries.estimatedSize();
  }

  long bytes() {
    return bound.weightedSize().orElseThrow();
  }

  long maxBytes() {
    return bound.getMaximum();
  }

  /** A kept block. Not a record: Caffeine compares values, and equal bytes must not make it so. */
  private static final class Entry {
    final Incarnation file;
    private final @Nullable ByteBuffer block;

    /** The bytes of a block on a heap that need not have room for the tier. */
    private final @Nullable SoftReference<ByteBuffer> yielding;

    private final int weightBytes;

    Entry(ByteBuffer block, Incarnation file, boolean yields) {
      this.file = file;
      this.block = yields ? null : block;
      this.yielding = yields ? new SoftReference<>(block) : null;
      int overhead = block.isDirect() ? DIRECT_OVERHEAD_BYTES : HEAP_OVERHEAD_BYTES;
      this.weightBytes = Math.min(block.capacity(), Integer.MAX_VALUE - overhead) + overhead;
    }

    /** Returns the block; null if the collector took it. */
    @Nullable ByteBuffer block() {
      return yielding == null ? block : yielding.get();
    }
  }
}
