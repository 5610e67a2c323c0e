// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Turn}s of a tiered cache. At most one stands at a block, for other threads to find;
 * and each thread's own lie within each other, since a loader may ask the cache for another block.
 *
 * <p><b>Why no two threads wait for each other.</b> A thread waits in two places: for the bytes of
 * another's load, and, as an invalidation, for the end of another's PUBLISHING. A thread that has a
 * turn does not wait for a load, it loads for itself; so who is waited for as a leader waits for an
 * invalidation at most. A thread that is PUBLISHING is refused an invalidation; so who is waited
 * for by one waits for nothing here. What is left is another's code that waits for a thread of its
 * own, which can't be seen from here: for that there is {@link Patience}.
 */
final class Turns {
  private final ConcurrentMap<BlockKey, Turn> standing = new ConcurrentHashMap<>();

  /** The innermost turn of each thread that has one. */
  private final ConcurrentMap<Thread, Turn> own = new ConcurrentHashMap<>();

  /** Takes a turn at a block where none stands; else returns the one that does. */
  @Nullable Turn tryBegin(Turn mine) {
    enter(mine);
    boolean begun = false;
    try {
      Turn running = standing.putIfAbsent(mine.key(), mine);
      begun = running == null;
      return running;
    } finally {
      if (!begun) { // For want of memory, maybe.
        leave(mine);
      }
    }
  }

  /** Takes a turn at a block in place of the one that stands there, which is returned. */
  @Nullable Turn begin(Turn mine) {
    enter(mine);
    boolean begun = false;
    try {
      Turn running = standing.put(mine.key(), mine);
      begun = true;
      return running;
    } finally {
      if (!begun) {
        leave(mine);
      }
    }
  }

  /** Takes a turn that others don't find. */
  void enter(Turn mine) {
    mine.outer = own.put(Thread.currentThread(), mine);
  }

  /** Gives the calling thread's innermost turn up; others may still find it. */
  void leave(Turn mine) {
    Turn outer = mine.outer;
    if (outer == null) {
      own.remove(Thread.currentThread());
    } else {
      own.put(Thread.currentThread(), outer);
    }
  }

  /** Lets others find it no longer. */
  void remove(Turn turn) {
    standing.remove(turn.key(), turn);
  }

  /** Puts another turn in the place of one that stands; false if that does not. */
  boolean replace(Turn turn, Turn by) {
    return standing.replace(turn.key(), turn, by);
  }

  /** Visits all that stand: at most one for each thread in a call. */
  void forEach(Consumer<Turn> visitor) {
    standing.values().forEach(visitor);
  }

  /** How many there are, and threads that have one. */
  int size() {
    return standing.size() + own.size();
  }

  /** Whether the calling thread has a turn. */
  boolean isWithinOne() {
    return own.containsKey(Thread.currentThread());
  }

  /** Refuses a lookup by the loader of the same block: it would ask again and again. */
  void refuseToLoadWithinItself(BlockKey key) {
    for (Turn turn = own.get(Thread.currentThread()); turn != null; turn = turn.outer) {
      if (turn.isLoading() && turn.key().equals(key)) {
        throw new IllegalStateException(
            "the loader asks the cache for the block that it is loading, "
                + key
                + "; read it from the file");
      }
    }
  }

  /** Refuses what would wait for the end of the calling thread's own PUBLISHING. */
  void refuseToWaitForItself(String call) {
    for (Turn turn = own.get(Thread.currentThread()); turn != null; turn = turn.outer) {
      if (turn.isPublishing()) {
        throw new IllegalStateException(
            call
                + " was called while the same thread puts block "
                + turn.key()
                + " in or takes it out, and would wait for itself; a policy or listener of the"
                + " second tier and an executor that runs on its caller's thread may not call it:"
                + " leave it to another thread, and don't wait for that");
      }
    }
  }
}
