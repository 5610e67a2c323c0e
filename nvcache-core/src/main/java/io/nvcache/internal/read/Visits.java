// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import org.jspecify.annotations.Nullable;

/**
 * Tells which reads of parts are one visit of a block: a caller that copies a block piece by piece
 * asks for it once, not as often as there are pieces. Only the first part of a visit is a lookup to
 * the policies and to the write budget; otherwise a block that is read once would look hot, and
 * would earn a write with each piece.
 *
 * <p>A visit begins with the first part that a thread reads of a block. Parts that continue where
 * earlier ones ended, forwards or backwards, belong to it, however many there are; of others, as
 * many as {@link #MOST_JUMPS}: a block that is read here and there is wanted again and again. It
 * ends with the whole block, or when the thread has begun to read parts of so many others that it
 * is forgotten. So parts of several blocks may take turns, in any order, and a block of which a
 * part is read now and then is looked up each time.
 *
 * <p><b>Threads.</b> Each thread has its own places, in the stripe that it counts in; nothing is
 * shared or locked, and memory is taken once for each stripe. Threads that share a stripe may
 * confuse each other's visits, which costs a lookup more or less. Threads that read one block
 * together make a visit each.
 *
 * <pre>
 *   a stripe: sets of places, and what is current
 *   ├──────────────┬──────────────┬─     ─┬─────────┬─────┐
 *   │key state hull│key state hull│  ...  │ current │turns│
 *   └──────────────┴──────────────┴─     ─┴─────────┴─────┘
 *
 *   a state:  63            8       2         1        0     a hull: 63    32      0
 *   ├──────────┬───────────┬─────────┬────────┐              ├─────────┬───────┐
 *   │bytes read│   jumps   │ offered │ begins │              │   end   │ begin │
 *   └──────────┴───────────┴─────────┴────────┘              └─────────┴───────┘
 * </pre>
 */
public final class Visits {
  /** Parts of a visit that may begin elsewhere than where others ended. */
  static final int MOST_JUMPS = 15;

  private static final int SETS = 16;
  private static final int WAYS = 4;
  private static final int PLACE_LONGS = 3;
  private static final int SET_LONGS = WAYS * PLACE_LONGS;

  /** Where a stripe keeps which of its places the part being read belongs to. */
  private static final int CURRENT = SETS * SET_LONGS;

  /** From where on a stripe keeps, by set, how many of its places were given to another block. */
  private static final int TURNS = CURRENT + 1;

  /** The length of a stripe, with a cache line at the end, apart from what others write. */
  private static final int STRIPE_LONGS = TURNS + SETS + 16;

  private static final long BEGINS = 1;
  private static final long OFFERED = 2;
  private static final int JUMPS_SHIFT = 2;
  private static final long JUMP = 1L << JUMPS_SHIFT;
  private static final long JUMPS_MASK = 63;
  private static final int BYTES_SHIFT = 8;
  private static final long NO_KEY = 0;

  private final StripedCounters counters;
  private final long[] @Nullable [] stripes;

  public Visits(StripedCounters counters) {
    this.counters = counters;
    this.stripes = new long[counters.count()][];
  }

  /**
   * Notes that a part is asked for.
   *
   * @param from the part's first byte in the block
   * @param bytes how much, at most
   * @return whether a visit begins with it
   */
  boolean begins(long fileId, long offset, int from, int bytes, int stripe) {
    long[] places = placesOf(stripe);
    if (places == null) {
      return true;
    }
    long key = key(fileId, offset);
    int place = find(places, key);
    boolean begins = place < 0;
    if (begins) {
      place = placeFor(places, key);
    } else {
      begins = !continues(places, place, from, bytes);
    }
    if (begins) {
      places[place] = key;
      places[place + 1] = ((long) bytes << BYTES_SHIFT) + BEGINS;
      places[place + 2] = hull(from, (long) from + bytes);
    } else {
      counters.add(stripe, Counter.CONTINUED_LOOKUPS, 1);
    }
    places[CURRENT] = place;
    return begins;
  }

  /** Adds a part to a visit, if it belongs to it. */
  private static boolean continues(long[] places, int place, int from, int bytes) {
    long state = places[place + 1] & ~BEGINS;
    long hull = places[place + 2];
    long begin = Math.min(from, begin(hull));
    long end = Math.max((long) from + bytes, end(hull));
    long grown = end - begin - (end(hull) - begin(hull));
    if (grown > 0 && grown <= bytes) { // There is no gap between them.
      places[place + 1] = state + (grown << BYTES_SHIFT);
      places[place + 2] = hull(begin, end);
      return true;
    }
    if (((state >>> JUMPS_SHIFT) & JUMPS_MASK) >= MOST_JUMPS) {
      return false;
    }
    places[place + 1] = state + JUMP + ((long) bytes << BYTES_SHIFT);
    places[place + 2] = hull(from, (long) from + bytes);
    return true;
  }

  /**
   * Notes that the part that was asked for was found.
   *
   * @param missing how many bytes fewer there were than asked for
   * @param lengthBytes the block's length
   * @return whether the visit began with it
   */
  boolean found(int missing, int lengthBytes, int stripe) {
    long[] places = stripes[counters.index(stripe)];
    if (places == null) {
      return true;
    }
    int place = (int) places[CURRENT];
    long state = places[place + 1] - ((long) missing << BYTES_SHIFT);
    places[place + 1] = state;
    if (missing > 0) {
      long hull = places[place + 2];
      places[place + 2] = hull(begin(hull), lengthBytes);
    }
    endIfRead(places, place, state, lengthBytes);
    boolean began = (state & BEGINS) != 0;
    if (!began) {
      counters.add(stripe, Counter.CONTINUED_HITS, 1);
    }
    return began;
  }

  /** Returns whether the calling thread offers a block for a visit for which it did already. */
  public boolean isOfferedAgain(long fileId, long offset, int lengthBytes) {
    long[] places = stripes[counters.index(counters.stripe())];
    if (places == null) {
      return false;
    }
    int place = find(places, key(fileId, offset));
    if (place < 0) {
      return false;
    }
    long state = places[place + 1];
    places[place + 1] = state | OFFERED;
    endIfRead(places, place, state, lengthBytes);
    return (state & OFFERED) != 0;
  }

  private static void endIfRead(long[] places, int place, long state, int lengthBytes) {
    if (state >> BYTES_SHIFT >= lengthBytes) {
      places[place] = NO_KEY;
    }
  }

  /** Null if there isn't any memory for them: then each part is a lookup. */
  private long @Nullable [] placesOf(int stripe) {
    int i = counters.index(stripe);
    long[] places = stripes[i];
    if (places == null) {
      try {
        places = new long[STRIPE_LONGS];
      } catch (OutOfMemoryError noRoom) {
        return null;
      }
      stripes[i] = places;
    }
    return places;
  }

  /** Returns the place of a key, or -1. */
  private static int find(long[] places, long key) {
    int set = set(key);
    for (int place = set; place < set + SET_LONGS; place += PLACE_LONGS) {
      if (places[place] == key) {
        return place;
      }
    }
    return -1;
  }

  /** Returns a place that is free, or is to be. */
  private static int placeFor(long[] places, long key) {
    int set = set(key);
    for (int place = set; place < set + SET_LONGS; place += PLACE_LONGS) {
      if (places[place] == NO_KEY) {
        return place;
      }
    }
    return set + (int) (places[TURNS + set / SET_LONGS]++ & (WAYS - 1)) * PLACE_LONGS;
  }

  private static int set(long key) {
    return (int) ((key >>> 1) & (SETS - 1)) * SET_LONGS;
  }

  /** Tells blocks apart; two that it does not share a lookup now and then. */
  private static long key(long fileId, long offset) {
    long key = fileId * 0x9e3779b97f4a7c15L + offset * 0xbf58476d1ce4e5b9L;
    return (key ^ key >>> 32) | 1;
  }

  private static long hull(long begin, long end) {
    return (Math.min(end, Integer.MAX_VALUE) << Integer.SIZE) | begin;
  }

  private static long begin(long hull) {
    return hull & 0xffff_ffffL;
  }

  private static long end(long hull) {
    return hull >>> Integer.SIZE;
  }
}
