// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.Rewrite;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies of the hottest blocks that one compaction has written, kept on the heap until they are
 * carried, so that these are not read back from the store. Thread-safe.
 */
final class HeldBlocks {
  private record Name(long fileId, long offset) {}

  private record Held(Name name, double heat, ByteBuffer copy) {}

  /**
   * The heap that the blocks of all compactions may take, except for a block of each that copies
   * one right now. What is neither carried nor dropped is free again when it is collected.
   */
  static final class Memory {
    private final long mostBytes;
    private final Set<WeakReference<HeldBlocks>> holders = new HashSet<>();

    /**
     * Makes a memory of which nothing is taken.
     *
     * @param mostBytes of all blocks together; 0 for none
     */
    Memory(long mostBytes) {
      this.mostBytes = mostBytes;
    }

    private synchronized void add(HeldBlocks holder) {
      holders.add(holder.self);
    }

    private synchronized long freeBytes() {
      long bytes = 0;
      holders.removeIf(holder -> holder.get() == null);
      for (WeakReference<HeldBlocks> each : holders) {
        HeldBlocks holder = each.get();
        bytes += holder == null ? 0 : holder.bytes.get();
      }
      return mostBytes - bytes;
    }

    private synchronized void remove(HeldBlocks holder) {
      holders.remove(holder.self);
    }
  }

  private final Memory memory;
  private final Map<Name, Held> blocks = new HashMap<>();
  private final PriorityQueue<Held> coldestFirst =
      new PriorityQueue<>(Comparator.comparingDouble(Held::heat));

  /** The bytes of all blocks; changes under the lock of this object. */
  private final AtomicLong bytes = new AtomicLong();

  private final WeakReference<HeldBlocks> self = new WeakReference<>(this);
  private boolean dropped;

  HeldBlocks(Memory memory) {
    this.memory = memory;
  }

  /**
   * Keeps a copy of a block, instead of colder ones if the memory is full, unless all that are kept
   * are as hot.
   *
   * @param heat of the block; one that would not be carried is not kept
   * @param lengthBytes of what would be cached
   * @param payload gives what would be cached, and is called for a block that is kept
   */
  synchronized void offer(
      long fileId, long offset, double heat, int lengthBytes, Supplier<ByteBuffer> payload) {
    if (dropped || heat < Rewrite.LEAST_HEAT || lengthBytes > memory.freeBytes() + bytes.get()) {
      return;
    }
    while (lengthBytes > memory.freeBytes()) {
      Held coldest = coldestFirst.peek();
      if (coldest == null || coldest.heat() >= heat) {
        return;
      }
      forget(coldest);
    }
    Name name = new Name(fileId, offset);
    Held before = blocks.get(name);
    if (before != null) {
      forget(before);
    }
    Held held = new Held(name, heat, ByteBuffer.allocate(lengthBytes).put(payload.get()).flip());
    memory.add(this);
    blocks.put(name, held);
    coldestFirst.add(held);
    bytes.addAndGet(lengthBytes);
  }

  private void forget(Held held) {
    coldestFirst.remove(held);
    blocks.remove(held.name());
    bytes.addAndGet(-held.copy().capacity());
  }

  /** Returns a block, for reading; null if it is not kept. */
  synchronized @Nullable ByteBuffer get(long fileId, long offset) {
    Held held = blocks.get(new Name(fileId, offset));
    return held == null ? null : held.copy().duplicate();
  }

  /** Lets all blocks go, and keeps none from now on. */
  void drop() {
    synchronized (this) {
      dropped = true;
      blocks.clear();
      coldestFirst.clear();
      bytes.set(0);
    }
    memory.remove(this);
  }
}
