// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.space.Sizing;
import java.util.Arrays;

/**
 * The free runs of granules in one extent, in the order in which they lie; neighbours are always
 * one run. Four bytes each: where all blocks have one size, there are hardly any, and otherwise
 * about a third as many as blocks.
 *
 * <p><b>Locking.</b> Belongs to the {@link RunAllocator}'s lock.
 */
final class FreeRuns {
  /** The most granules that an extent may have. */
  static final int MAX_GRANULES = Sizing.MAX_RUN_GRANULES;

  private static final int GROWTH = 16;

  /** Sorted. */
  private char[] starts = new char[GROWTH];

  /** The length of each, less one. */
  private char[] rests = new char[GROWTH];

  private int count;
  private int longest;

  /** Has one run: all of the extent. */
  FreeRuns(int granules) {
    insert(0, 0, granules);
    this.longest = granules;
  }

  int count() {
    return count;
  }

  /** Returns the length of the longest run; 0 if nothing is free. */
  int longest() {
    return longest;
  }

  int start(int i) {
    return starts[i];
  }

  int length(int i) {
    return rests[i] + 1;
  }

  private int end(int i) {
    return starts[i] + rests[i] + 1;
  }

  /**
   * Returns the shortest run of at least so many granules, the first of equals. The {@link
   * #longest} must be one.
   */
  int bestFit(int granules) {
    int best = -1;
    int bestRest = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int rest = rests[i];
      if (rest >= granules - 1 && rest < bestRest) {
        best = i;
        bestRest = rest;
        if (rest == granules - 1) {
          break;
        }
      }
    }
    return best;
  }

  /** Takes the first granules of a run; returns where they begin. */
  int take(int i, int granules) {
    int start = starts[i];
    int left = length(i) - granules;
    boolean wasLongest = length(i) == longest;
    if (left == 0) {
      remove(i);
    } else {
      starts[i] += (char) granules;
      rests[i] = (char) (left - 1);
    }
    if (wasLongest) {
      longest = findLongest();
    }
    return start;
  }

  private int findLongest() {
    int most = 0;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, length(i));
    }
    return most;
  }

  /**
   * Frees granules.
   *
   * @throws IllegalStateException if some of them are free
   */
  void free(int start, int granules) {
    int next = firstFrom(start);
    if (overlaps(next, start, granules)) {
      throw new IllegalStateException("granules " + start + " to " + (start + granules) + " twice");
    }
    boolean joinsBefore = next > 0 && end(next - 1) == start;
    boolean joinsAfter = next < count && starts[next] == start + granules;
    int at = joinsBefore ? next - 1 : next;
    if (joinsBefore && joinsAfter) {
      rests[at] = (char) (length(at) + granules + length(next) - 1);
      remove(next);
    } else if (joinsBefore) {
      rests[at] += (char) granules;
    } else if (joinsAfter) {
      starts[at] = (char) start;
      rests[at] += (char) granules;
    } else {
      insert(at, start, granules);
    }
    longest = Math.max(longest, length(at));
  }

  /** Returns how long the run would be that freeing these granules made. */
  int lengthIfFreed(int start, int granules) {
    int next = firstFrom(start);
    int before = next > 0 && end(next - 1) == start ? length(next - 1) : 0;
    int after = next < count && starts[next] == start + granules ? length(next) : 0;
    return before + granules + after;
  }

  /** Returns whether one of these granules is free. */
  boolean overlaps(int start, int granules) {
    return overlaps(firstFrom(start), start, granules);
  }

  private boolean overlaps(int next, int start, int granules) {
    return (next > 0 && end(next - 1) > start) || (next < count && starts[next] < start + granules);
  }

  /** Returns the first run that begins there or later. */
  private int firstFrom(int start) {
    int found = Arrays.binarySearch(starts, 0, count, (char) start);
    return found >= 0 ? found : -found - 1;
  }

  private void insert(int i, int start, int granules) {
    if (count == starts.length) { // Both are there before one is used: memory may end between.
      char[] moreStarts = Arrays.copyOf(starts, count + GROWTH + count / 8);
      rests = Arrays.copyOf(rests, moreStarts.length);
      starts = moreStarts;
    }
    System.arraycopy(starts, i, starts, i + 1, count - i);
    System.arraycopy(rests, i, rests, i + 1, count - i);
    starts[i] = (char) start;
    rests[i] = (char) (granules - 1);
    count++;
  }

  private void remove(int i) {
    count--;
    System.arraycopy(starts, i + 1, starts, i, count - i);
    System.arraycopy(rests, i + 1, rests, i, count - i);
  }

  /** Returns the bytes of DRAM for all this. */
  long metadataBytes() {
    return (long) (starts.length + rests.length) * Character.BYTES;
  }
}
