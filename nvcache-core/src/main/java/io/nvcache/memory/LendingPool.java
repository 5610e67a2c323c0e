// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps objects that are dear to make, and lends them for the time of one call: as many as are in
 * use at once, and no more than {@link #MOST} are kept. One for each thread would be bounded by
 * nothing but the threads, of which a store with virtual ones has any number.
 *
 * <p><b>Invariants.</b> An object is in one place of the pool or lent to one thread. Taking and
 * giving back is one atomic exchange each. A thread begins at the place that its number gives,
 * which mostly it alone uses, on cache lines that no other place is on. It looks at all others
 * before it makes an object or lets one go: a store may give back on other threads than take.
 */
public final class LendingPool<T> {
  /** Beyond this many at once, they are made anew each time. */
  public static final int MOST = 64;

  /**
   * References from one place to the next: of four bytes each, two cache lines, which processors
   * fetch together. As many lie before the first place, which keep it off the array's length, and
   * behind the last one.
   */
  private static final int SPACING = 32;

  private final AtomicReferenceArray<@Nullable T> pool =
      new AtomicReferenceArray<>((MOST + 1) * SPACING);
  private final Supplier<T> maker;

  /** How many were made and not let go. */
  private final AtomicInteger alive = new AtomicInteger();

  /** Makes a pool that is empty, and makes objects as they are asked for. */
  public LendingPool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns an object that is the calling thread's own until it gives it back. */
  public T take() {
    T kept = takeKept();
    if (kept != null) {
      return kept;
    }
    alive.incrementAndGet();
    return make();
  }

  /** The same, but makes none while {@link #MOST} objects are alive: null if all are lent. */
  public @Nullable T takeOfMost() {
    T kept = takeKept();
    if (kept != null || alive.get() >= MOST) {
      return kept;
    }
    if (alive.incrementAndGet() > MOST) {
      alive.decrementAndGet();
      return null;
    }
    return make();
  }

  /** Makes an object that is counted already. */
  private T make() {
    T fresh = null;
    try {
      fresh = maker.get();
      return fresh;
    } finally {
      if (fresh == null) { // There was no memory.
        alive.decrementAndGet();
      }
    }
  }

  private @Nullable T takeKept() {
    int home = home();
    for (int i = 0; i < MOST; i++) {
      int place = place(home + i);
      if (pool.getPlain(place) != null) {
        T kept = pool.getAndSet(place, null);
        if (kept != null) {
          return kept;
        }
      }
    }
    return null;
  }

  /** Gives an object back; one that finds no place is left to the garbage collector. */
  public void giveBack(T lent) {
    int home = home();
    for (int i = 0; i < MOST; i++) {
      int place = place(home + i);
      if (pool.getPlain(place) == null && pool.compareAndSet(place, null, lent)) {
        return;
      }
    }
    alive.decrementAndGet();
  }

  /** Returns how many are kept and not lent just now. */
  public int kept() {
    int kept = 0;
    for (int i = 0; i < MOST; i++) {
      kept += pool.get(place(i)) == null ? 0 : 1;
    }
    return kept;
  }

  private static int home() {
    return (int) (Thread.currentThread().getId() & (MOST - 1));
  }

  private static int place(int i) {
    return (i % MOST + 1) * SPACING;
  }
}
