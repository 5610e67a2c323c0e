// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps objects that are expensive to make, and lends them for the time of one call: as many as are
 * in use at once, and no more than {@link #MOST} are kept. One for each thread would be bounded by
 * nothing but the threads, of which a store with virtual ones has any number.
 */
public final class LendingPool<T> {
  /** Beyond this many at once, they are made again each time. */
  public static final int MOST = LendingPlaces.MOST;

  private final LendingPlaces<T> places = new LendingPlaces<>();
  private final Supplier<T> maker;

  /** Makes a pool that is empty, and makes objects as they are asked for. */
  public LendingPool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns an object that is the calling thread's own until it gives it back. */
  public T take() {
    T kept = places.take();
    return kept == null ? maker.get() : kept;
  }

  /** Returns an object in the same way if one is kept; else null. */
  public @Nullable T takeKept() {
    return places.take();
  }

  /** Gives an object back; one that finds no place is left to the garbage collector. */
  public void giveBack(T lent) {
    places.keep(lent);
  }

  /** Returns how many are kept and not lent just now. */
  public int kept() {
    return places.kept();
  }
}
