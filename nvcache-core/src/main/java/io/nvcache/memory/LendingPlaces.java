// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps objects that are not in use, up to a number.
 *
 * <p><b>Invariants.</b> An object is in one place or one thread's own. Taking and keeping is one
 * atomic exchange each. A thread begins at the place that its number gives, which mostly it alone
 * uses, on cache lines that no other place is on. It looks at all others before it gives up: a
 * store may give back on other threads than take.
 */
final class LendingPlaces<T> {
  static final int MOST = 64;

  /**
   * References from one place to the next: of four bytes each, two cache lines, which processors
   * fetch together. As many lie before the first place, which keep it off the array's length, and
   * behind the last one.
   */
  private static final int SPACING = 32;

  private final AtomicReferenceArray<@Nullable T> places;
  private final int most;

  LendingPlaces() {
    this(MOST);
  }

  /**
   * Makes so many places.
   *
   * @param most a power of two
   */
  LendingPlaces(int most) {
    this.most = most;
    this.places = new AtomicReferenceArray<>((most + 1) * SPACING);
  }

  /** Returns an object that is the calling thread's own by that; null if none is kept. */
  @Nullable T take() {
    int home = home();
    for (int i = 0; i < most; i++) {
      int place = place(home + i);
      if (places.getPlain(place) != null) {
        T kept = places.getAndSet(place, null);
        if (kept != null) {
          return kept;
        }
      }
    }
    return null;
  }

  /** Keeps an object; false if there isn't any place left. */
  boolean keep(T object) {
    int home = home();
    for (int i = 0; i < most; i++) {
      int place = place(home + i);
      if (places.getPlain(place) == null && places.compareAndSet(place, null, object)) {
        return true;
      }
    }
    return false;
  }

  /** Returns how many are kept just now. */
  int kept() {
    int kept = 0;
    for (int i = 0; i < most; i++) {
      kept += places.get(place(i)) == null ? 0 : 1;
    }
    return kept;
  }

  private int home() {
    return (int) (Thread.currentThread().getId() & (most - 1));
  }

  private int place(int i) {
    return ((i & (most - 1)) + 1) * SPACING;
  }
}
