// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * More stripes of {@link StripedCounters}, for threads that found none there: each has one writer,
 * and changes hands when that thread is dead. Few caches have as many threads, so these are made in
 * pieces as they are taken.
 */
final class OuterStripes {
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle PIECES = MethodHandles.arrayElementVarHandle(long[][].class);

  /** The distance in cells from one stripe to the next, as a shift. */
  private static final int STRIPE_SHIFT =
      Integer.SIZE - Integer.numberOfLeadingZeros(Counter.values().length - 1);

  /** A power of two. */
  private static final int STRIPES = 1 << 10;

  private static final int STRIPES_AT_ONCE = 1 << 6;
  private static final int PIECE_SHIFT = STRIPE_SHIFT + 6;
  private static final int IN_PIECE = (1 << PIECE_SHIFT) - 1;

  /** Keeps a piece's cells off its length, and off what lies behind it. */
  private static final int PAD = 128 / Long.BYTES;

  /** The stripes that a thread may own, from the one its number gives on. */
  private static final int PLACES = 8;

  private static final long[] NOT_MADE = {};

  private final long[][] pieces = new long[STRIPES / STRIPES_AT_ONCE][];

  /** Null until there is one. */
  private volatile @Nullable AtomicReferenceArray<@Nullable Thread> owners;

  OuterStripes() {
    Arrays.fill(pieces, NOT_MADE);
  }

  /** Returns where the stripe of a thread begins; −1 if it has none. */
  int find(Thread thread) {
    AtomicReferenceArray<@Nullable Thread> by = owners;
    if (by == null) {
      return -1;
    }
    int home = place((int) thread.getId());
    for (int distance = 0; distance < PLACES; distance++) {
      int i = place(home + distance);
      if (by.getPlain(i) == thread) {
        return i << STRIPE_SHIFT;
      }
    }
    return -1;
  }

  /** Gives a thread a stripe, if one that it may own has no living owner; else returns −1. */
  int take(Thread thread) {
    AtomicReferenceArray<@Nullable Thread> by = owners();
    int home = place((int) thread.getId());
    for (int distance = 0; distance < PLACES; distance++) {
      int i = place(home + distance);
      Thread owner = by.get(i);
      if (owner == null || !owner.isAlive()) {
        makePiece(i / STRIPES_AT_ONCE); // Before it is owned: there may be no memory.
        if (by.compareAndSet(i, owner, thread)) {
          return i << STRIPE_SHIFT;
        }
      }
    }
    return -1;
  }

  private static int place(int i) {
    return i & (STRIPES - 1);
  }

  private AtomicReferenceArray<@Nullable Thread> owners() {
    AtomicReferenceArray<@Nullable Thread> by = owners;
    return by == null ? makeOwners() : by;
  }

  private synchronized AtomicReferenceArray<@Nullable Thread> makeOwners() {
    AtomicReferenceArray<@Nullable Thread> by = owners;
    if (by == null) {
      by = new AtomicReferenceArray<>(STRIPES);
      owners = by;
    }
    return by;
  }

  private void makePiece(int piece) {
    if (piece(piece) == NOT_MADE) {
      PIECES.compareAndSet(pieces, piece, NOT_MADE, new long[2 * PAD + IN_PIECE + 1]);
    }
  }

  private long[] piece(int i) {
    return (long[]) PIECES.getVolatile(pieces, i);
  }

  /** Returns which stripe begins there. */
  static int index(int stripe) {
    return stripe >> STRIPE_SHIFT;
  }

  /** Adds to a cell of a stripe that the calling thread owns, and so has seen made. */
  void add(int stripe, int cell, long delta) {
    long[] piece = pieces[stripe >> PIECE_SHIFT];
    int i = PAD + (stripe & IN_PIECE) + cell;
    CELLS.setRelease(piece, i, piece[i] + delta);
  }

  /** Returns a cell of a stripe. */
  long get(int stripe, int cell) {
    long[] piece = piece(stripe >> PIECE_SHIFT);
    return piece == NOT_MADE
        ? 0
        : (long) CELLS.getVolatile(piece, PAD + (stripe & IN_PIECE) + cell);
  }

  /** Returns a cell over every {@code step}th stripe from one on. */
  long sum(int from, int step, int cell) {
    long sum = 0;
    if (owners != null) {
      for (int i = from; i < STRIPES; i += step) {
        sum += get(i << STRIPE_SHIFT, cell);
      }
    }
    return sum;
  }

  /** Lets go of the threads that have ended; returns whether there were any. */
  boolean forgetDeadThreads() {
    AtomicReferenceArray<@Nullable Thread> by = owners;
    boolean any = false;
    for (int i = 0; by != null && i < STRIPES; i++) {
      Thread owner = by.get(i);
      if (owner != null && !owner.isAlive()) {
        any |= by.compareAndSet(i, owner, null);
      }
    }
    return any;
  }
}
