// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;

/**
 * Tells which reads of parts are one visit of a block: a caller that copies a block piece by piece
 * asks for it once, not as often as there are pieces. Only the first part of a visit is a lookup to
 * the policies and to the write budget; otherwise a block that is read once would look hot, and
 * would earn a write with each piece.
 *
 * <p>A visit begins with the first part that a thread reads of a block. It ends when the parts
 * together are as long as the block, or when the thread has begun to read parts of as many others
 * as are remembered. So parts of several blocks may take turns, in any order, and a block of which
 * a part is read now and then is looked up each time.
 *
 * <p><b>Threads.</b> Each thread has its own places, in the stripe that it counts in; nothing is
 * shared, locked or allocated. Threads that share a stripe may confuse each other's visits, which
 * costs a lookup more or less.
 *
 * <pre>
 *   a stripe: 16 longs                       a state:  63            2      1        0
 *   ├─────┬─────┬─────┬─     ─┬─────┬───┐    ├──────────┬─────────┬────────┐
 *   │key 0│state│key 1│  ...  │state│now│    │bytes read│ offered │ begins │
 *   └─────┴─────┴─────┴─     ─┴─────┴───┘    └──────────┴─────────┴────────┘
 * </pre>
 */
public final class Visits {
  private static final int STRIPE_LONGS = 16;
  private static final int BLOCKS = 7;

  /** Where a stripe keeps which of its places the part being read belongs to. */
  private static final int CURRENT = 2 * BLOCKS;

  private static final long BEGINS = 1;
  private static final long OFFERED = 2;
  private static final int BYTES_SHIFT = 2;
  private static final long NO_KEY = 0;

  private final StripedCounters counters;
  private final long[] places;

  /** Set by the first part that is read; plain, since a lookup too many does no harm. */
  private boolean used;

  public Visits(StripedCounters counters) {
    this.counters = counters;
    this.places = new long[(counters.count() + 2) * STRIPE_LONGS]; // A line apart from others.
  }

  /**
   * Notes that a part is asked for.
   *
   * @param bytes how much, at most
   * @return whether a visit begins with it
   */
  boolean begins(long fileId, long offset, int bytes, int stripe) {
    if (!used) {
      used = true;
    }
    int first = first(stripe);
    long key = key(fileId, offset);
    int place = find(first, key);
    boolean begins = place < 0;
    long before = 0;
    if (begins) {
      int free = find(first, NO_KEY);
      place = free < 0 ? first + 2 * (((int) places[first + CURRENT] + 1) % BLOCKS) : free;
      places[place] = key;
    } else {
      before = places[place + 1] & ~BEGINS;
    }
    places[place + 1] = before + ((long) bytes << BYTES_SHIFT) + (begins ? BEGINS : 0);
    places[first + CURRENT] = (long) (place - first) / 2;
    if (!begins) {
      counters.add(stripe, Counter.CONTINUED_LOOKUPS, 1);
    }
    return begins;
  }

  /**
   * Notes that the part that was asked for was found.
   *
   * @param missing how many bytes fewer there were than asked for
   * @param lengthBytes the block's length
   * @return whether the visit began with it
   */
  boolean found(int missing, int lengthBytes, int stripe) {
    int first = first(stripe);
    int place = first + 2 * ((int) places[first + CURRENT] % BLOCKS);
    long state = places[place + 1] - ((long) missing << BYTES_SHIFT);
    places[place + 1] = state;
    endIfRead(place, state, lengthBytes);
    boolean began = (state & BEGINS) != 0;
    if (!began) {
      counters.add(stripe, Counter.CONTINUED_HITS, 1);
    }
    return began;
  }

  /** Returns whether the calling thread offers a block for a visit for which it did already. */
  public boolean isOfferedAgain(long fileId, long offset, int lengthBytes) {
    if (!used) {
      return false;
    }
    int place = find(first(counters.stripe()), key(fileId, offset));
    if (place < 0) {
      return false;
    }
    long state = places[place + 1];
    places[place + 1] = state | OFFERED;
    endIfRead(place, state, lengthBytes);
    return (state & OFFERED) != 0;
  }

  private void endIfRead(int place, long state, int lengthBytes) {
    if (state >>> BYTES_SHIFT >= lengthBytes) {
      places[place] = NO_KEY;
    }
  }

  /** Returns the place of a key, or -1. */
  private int find(int first, long key) {
    for (int place = first; place < first + 2 * BLOCKS; place += 2) {
      if (places[place] == key) {
        return place;
      }
    }
    return -1;
  }

  private int first(int stripe) {
    return (counters.index(stripe) + 1) * STRIPE_LONGS;
  }

  /** Tells blocks apart; two that it does not share a lookup now and then. */
  private static long key(long fileId, long offset) {
    long key = fileId * 0x9e3779b97f4a7c15L + offset * 0xbf58476d1ce4e5b9L;
    return (key ^ key >>> 32) | 1;
  }
}
