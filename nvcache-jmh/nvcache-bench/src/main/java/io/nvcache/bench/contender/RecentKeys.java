// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** First in, first out, for maps that don't evict by themselves: a ring of the keys put in. */
final class RecentKeys {
  static final long NONE = -1;

  private final AtomicLongArray keys;
  private final AtomicInteger next = new AtomicInteger();

  RecentKeys(int capacity) {
    keys = new AtomicLongArray(capacity);
    for (int i = 0; i < capacity; i++) {
      keys.setPlain(i, NONE);
    }
  }

  /** The place for the next key. */
  int nextPlace() {
    return next.getAndUpdate(place -> place + 1 == keys.length() ? 0 : place + 1);
  }

  /** Puts a key in a place; the key that was there, or {@link #NONE}. */
  long put(int place, long key) {
    return keys.getAndSet(place, key);
  }
}
