// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the calls inside a drive, in stripes that threads mostly have to themselves, so that no
 * read waits for another's count; and tells by them, without a clock, whether calls end.
 */
final class DriveCalls {
  /** A power of two. */
  private static final int STRIPES = 64;

  /** Longs from one stripe to the next: two cache lines, which processors fetch together. */
  private static final int STRIDE = 16;

  private static final int ENDED = 1;

  private final AtomicLongArray counts = new AtomicLongArray(STRIPES * STRIDE);

  // Of the thread that looks.
  private final long[] endedBefore = new long[STRIPES];
  private final int[] looks = new int[STRIPES];

  /** Begins a call; returns what {@link #end} is to be given. */
  int begin() {
    int place = ((int) Thread.currentThread().getId() & (STRIPES - 1)) * STRIDE;
    counts.getAndIncrement(place);
    return place;
  }

  void end(int place) {
    counts.getAndIncrement(place + ENDED);
  }

  /** Returns how many calls have ended, failed ones included. */
  long ended() {
    long sum = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      sum += counts.get(stripe * STRIDE + ENDED);
    }
    return sum;
  }

  /** Returns how many calls are inside. */
  int inside() {
    long sum = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      // What ended first: a call that begins and ends in between must not count as less than none.
      long ended = counts.get(stripe * STRIDE + ENDED);
      sum += counts.get(stripe * STRIDE) - ended;
    }
    return (int) sum;
  }

  /**
   * Returns at how many looks in a row, this one included, some calls were inside and none ended.
   */
  int looksWithoutEnd() {
    int most = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      long ended = counts.get(stripe * STRIDE + ENDED);
      boolean isInside = counts.get(stripe * STRIDE) != ended;
      looks[stripe] = isInside && ended == endedBefore[stripe] ? looks[stripe] + 1 : 0;
      endedBefore[stripe] = ended;
      most = Math.max(most, looks[stripe]);
    }
    return most;
  }
}
