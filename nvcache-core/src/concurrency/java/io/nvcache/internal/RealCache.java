// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.read.RetainedPins;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.slots.SlabAllocator;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.NativeMedium;
import io.nvcache.stats.StripedCounters;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A real cache for the states of jcstress, which come by the million and are never closed: one for
 * all of them, of which each state uses a block of its own. It is kept full, so that the space that
 * a block leaves is the next one's; and it is larger than all the states there are at a time, so
 * that none of their blocks is the oldest.
 */
final class RealCache {
  static final int LENGTH = 512;

  private static final int CAPACITY_BYTES = 32 << 20;
  private static final int OFFSETS = 1 << 20;
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final BlockCache CACHE = fullCache();

  static final BlockTables TABLES = part(BlockTables.class, "controls", "stats", "tables");
  static final StripedCounters COUNTERS = part(StripedCounters.class, "controls", "stats", "counters");
  static final Policies POLICIES = part(Policies.class, "controls", "stats", "policies");
  static final Remover REMOVER = part(Remover.class, "invalidations", "remover");
  static final RetainedPins PINS = part(RetainedPins.class, "reader", "pins", "reads");
  static final SlabAllocator ALLOCATOR =
      part(SlabAllocator.class, "controls", "stats", "tables", "blocks", "allocator");

  /** The stripe of a thread that runs no state. */
  static final int FOREIGN_STRIPE = foreignStripe();

  private RealCache() {}

  private static BlockCache fullCache() {
    EngineSettings thresholds = new EngineSettings();
    thresholds.setMaxPinnedBytes(Long.MAX_VALUE);
    BlockCache cache =
        new EngineAssembly(
                NativeMedium.allocate(CAPACITY_BYTES),
                thresholds,
                AdmissionPresets.admitAll(),
                FifoEviction::new)
            .cut(Sizing.Cut.SLABS) // Whose slots count their own references, for states to see.
            .blockSizes(LENGTH, 8 * LENGTH)
            .assemble();
    for (int i = 0; cache.stats().evictions() == 0; i++) {
      cache.offer(0, 4096L * i, bytes(0), Source.READ);
    }
    return cache;
  }

  private static <T> T part(Class<T> type, String... path) {
    try {
      Object owner = CACHE;
      for (String name : path) {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        owner = field.get(owner);
      }
      return type.cast(owner);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static int foreignStripe() {
    Foreigner foreigner = new Foreigner(COUNTERS);
    foreigner.setDaemon(true);
    foreigner.start();
    return foreigner.stripe.join();
  }

  /** Not a lambda, which would wait for this class to be initialized, as that waits for it. */
  private static final class Foreigner extends Thread {
    final CompletableFuture<Integer> stripe = new CompletableFuture<>();
    private final StripedCounters counters;

    Foreigner(StripedCounters counters) {
      this.counters = counters;
    }

    @Override
    public void run() {
      stripe.complete(counters.stripe());
      while (true) {
        LockSupport.park(this); // Alive, or its stripe would be given to another.
      }
    }
  }

  private static ByteBuffer bytes(long value) {
    return ByteBuffer.allocate(LENGTH).putLong(0, value);
  }

  /** Names a block that no other state uses now. */
  static long nextOffset() {
    return 4096L * (NEXT.getAndIncrement() & (OFFSETS - 1));
  }

  static void put(long file, long offset, long value) {
    CACHE.offer(file, offset, bytes(value), Source.READ);
  }

  static PinnedBlock pin(long file, long offset) {
    return CACHE.pin(file, offset);
  }

  static void invalidate(long file, long offset) {
    CACHE.invalidate(file, offset);
  }

  /** Space of a block that nobody knows of, with one reference. */
  static long space() {
    long location = ALLOCATOR.allocate(LENGTH);
    while (location < 0) { // None free, or nothing evicted.
      int victim = POLICIES.eviction().victim();
      location = REMOVER.evictKeepingSpace(victim, COUNTERS.stripe());
    }
    return location;
  }

  /** The slot of the index in which a block is. */
  static int slot(long file, long offset) {
    int number = TABLES.files().find(file, BucketLayout.segment(offset));
    return BlockIndex.slot(TABLES.index().find(BucketLayout.key(number, offset)));
  }
}
