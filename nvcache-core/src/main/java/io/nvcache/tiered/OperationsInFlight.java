// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Registers the {@link BlockOperation}s of a tiered cache: at most one for each block, for other
 * threads to find, and for each thread those that it has begun, the innermost first, since a loader
 * may ask the cache for another block.
 *
 * <p><b>Why no two threads wait for each other.</b> A thread waits in two places: for the bytes of
 * another's load, and, as an invalidation, waits for the end of another's PUBLISHING. A thread that
 * has an operation in flight does not wait for a load, it loads for itself; so a leader waits for
 * an invalidation at most. A thread that is PUBLISHING is refused an invalidation; so a thread that
 * an invalidation waits for waits for nothing here. A loader that waits for its own thread can't be
 * detected here; {@link Patience} bounds it.
 */
final class OperationsInFlight {
  private final ConcurrentMap<BlockKey, BlockOperation> registered = new ConcurrentHashMap<>();

  /** The innermost operation of each thread that has one. */
  private final ConcurrentMap<Thread, BlockOperation> own = new ConcurrentHashMap<>();

  /** Registers an operation on a block that has none; otherwise returns the registered one. */
  @Nullable BlockOperation tryBegin(BlockOperation mine) {
    enter(mine);
    boolean begun = false;
    try {
      BlockOperation running = registered.putIfAbsent(mine.key(), mine);
      begun = running == null;
      return running;
    } finally {
      if (!begun) { // For want of memory, maybe.
        leave(mine);
      }
    }
  }

  /** Registers an operation instead of the one that the block has, and returns that one. */
  @Nullable BlockOperation begin(BlockOperation mine) {
    enter(mine);
    boolean begun = false;
    try {
      BlockOperation running = registered.put(mine.key(), mine);
      begun = true;
      return running;
    } finally {
      if (!begun) {
        leave(mine);
      }
    }
  }

  /** Begins an operation of the calling thread alone, which other threads don't find. */
  void enter(BlockOperation mine) {
    mine.outer = own.put(Thread.currentThread(), mine);
  }

  /** Ends the calling thread's innermost operation for the thread; others may still find it. */
  void leave(BlockOperation mine) {
    BlockOperation outer = mine.outer;
    if (outer == null) {
      own.remove(Thread.currentThread());
    } else {
      own.put(Thread.currentThread(), outer);
    }
  }

  /** Removes an operation, so that no other thread finds it. */
  void remove(BlockOperation operation) {
    registered.remove(operation.key(), operation);
  }

  /** Replaces a registered operation; returns false if it is not registered. */
  boolean replace(BlockOperation operation, BlockOperation by) {
    return registered.replace(operation.key(), operation, by);
  }

  /** Visits all registered operations: at most one for each thread in a call. */
  void forEach(Consumer<BlockOperation> visitor) {
    registered.values().forEach(visitor);
  }

  /** Returns the number of registered operations, plus the number of threads that have one. */
  int size() {
    return registered.size() + own.size();
  }

  /** Returns whether the calling thread has an operation in flight. */
  boolean isWithinOne() {
    return own.containsKey(Thread.currentThread());
  }

  /** Refuses a lookup by the loader of the same block: it would ask again and again. */
  void refuseToLoadWithinItself(BlockKey key) {
    for (BlockOperation operation = own.get(Thread.currentThread());
        operation != null;
        operation = operation.outer) {
      if (operation.isLoading() && operation.key().equals(key)) {
        throw new IllegalStateException(
            "the loader asks the cache for the block that it is loading, "
                + key
                + "; read it from the file");
      }
    }
  }

  /** Refuses what would wait for the end of the calling thread's own PUBLISHING. */
  void refuseToWaitForItself(String call) {
    for (BlockOperation operation = own.get(Thread.currentThread());
        operation != null;
        operation = operation.outer) {
      if (operation.isPublishing()) {
        throw new IllegalStateException(
            call
                + " was called while the same thread puts block "
                + operation.key()
                + " in or takes it out, and would wait for itself; a policy or listener of the"
                + " second tier and an executor that runs on its caller's thread may not call it:"
                + " leave it to another thread, and don't wait for that");
      }
    }
  }
}
