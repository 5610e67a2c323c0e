// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Names that lead out of all roots, as was found a moment ago, so that who opens and deletes files
 * elsewhere pays for following links once in a while. What this process does to links and
 * directories is forgotten for at once; another process's change is seen after a millisecond.
 *
 * <p>Thread-safe.
 */
final class OutsideNames {
  private static final int PLACES = 256;
  private static final long NANOS = 1_000_000;

  private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);
  private final AtomicInteger changes = new AtomicInteger();

  private record Known(String name, int changes, long end) {}

  /** Returns what {@link #add} must be given of a name that is looked up after this call. */
  int changes() {
    return changes.get();
  }

  boolean has(String name) {
    Known known = places.get(placeOf(name));
    return known != null
        && known.changes == changes.get()
        && known.name.equals(name)
        && System.nanoTime() - known.end < 0;
  }

  void add(String name, int changesBefore) {
    places.set(placeOf(name), new Known(name, changesBefore, System.nanoTime() + NANOS));
  }

  /** Links or directories change. */
  void forget() {
    changes.incrementAndGet();
  }

  private static int placeOf(String name) {
    int hash = name.hashCode();
    return (hash ^ hash >>> 16) & (PLACES - 1);
  }
}
