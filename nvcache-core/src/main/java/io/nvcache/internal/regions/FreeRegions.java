// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions that hold no entry of the index, in the order in which they are to be filled, and
 * those that are not to be filled any more since their bytes were damaged too often.
 *
 * <p>Used under the monitor of the {@link RegionTable}, except {@link #damaged}, {@link #wanted}
 * and {@link #none}, which any thread may call.
 */
final class FreeRegions {
  private static final Logger LOG = LoggerFactory.getLogger(FreeRegions.class);

  /** Regions to be kept free for bursts; fewer where there are few. */
  private static final int MOST_WANTED = 4;

  /** A region that is damaged so often, between its opening and its reuse, is retired. */
  private static final int MOST_DAMAGES = 8;

  /** At most one region in this many is retired: a cache must not shrink without end. */
  private static final int RETIRED_PART = 16;

  /** A count, a number with a reference to it, and a place in either row. */
  private static final int BYTES_PER_REGION = 32;

  private final int regions;
  private final RegionDrives drives;

  /** The number of regions on each drive. */
  private final int[] onDrive;

  /** The number of times that each region's bytes were damaged since it was opened. */
  private final AtomicIntegerArray damages;

  /**
   * Those that hold no block, not even a dead one: never filled, or discarded. They are filled
   * before the others.
   */
  private ArrayDeque<Integer> blank;

  /** Regions whose blocks are dead, those that are filled first in front. */
  private ArrayDeque<Integer> dead;

  /** The number of each region. Both rows have room for all: freeing one takes no memory. */
  private final Integer[] numbers;

  private int retired;
  private volatile int count;

  /** Begins with none. */
  FreeRegions(int regions, RegionDrives drives) {
    this.regions = regions;
    this.drives = drives;
    this.onDrive = new int[drives.count()];
    for (int region = 0; region < regions; region++) {
      onDrive[drives.of(region)]++;
    }
    this.damages = new AtomicIntegerArray(regions);
    this.numbers = new Integer[regions];
    Arrays.setAll(numbers, Integer::valueOf);
    this.blank = new ArrayDeque<>(regions);
    this.dead = new ArrayDeque<>(regions);
  }

  /** Removes all. */
  void clear() {
    blank.clear();
    dead.clear();
    count();
  }

  /**
   * Puts all unused regions instead of those that are here; none if it finds no memory.
   *
   * @param blanks the ones that hold no block
   */
  void addUnused(IntPredicate isUnused, BitSet blanks) {
    ArrayDeque<Integer> unusedBlank = new ArrayDeque<>(regions);
    ArrayDeque<Integer> unusedDead = new ArrayDeque<>(regions);
    for (int region = 0; region < regions; region++) {
      if (isUnused.test(region) && !drives.areLostAt(region)) {
        (blanks.get(region) ? unusedBlank : unusedDead).addLast(numbers[region]);
      }
    }
    blank = unusedBlank;
    dead = unusedDead;
    count();
  }

  /** Adds one that holds no block. */
  void addBlank(int region) {
    if (!drives.areLostAt(region)) {
      blank.addLast(numbers[region]);
      count();
    }
  }

  /** Adds one that may hold dead blocks. */
  void addDead(int region) {
    if (!drives.areLostAt(region)) {
      dead.addLast(numbers[region]);
      count();
    }
  }

  /** Removes one, if it is here. */
  void remove(int region) {
    blank.removeFirstOccurrence(numbers[region]);
    dead.removeFirstOccurrence(numbers[region]);
    count();
  }

  /** Adds one that was in use, unless it is retired: it was damaged several times. */
  void addUsed(int region) {
    if (damages.getAndSet(region, 0) >= MOST_DAMAGES && retired < regions / RETIRED_PART) {
      retired++;
      LOG.warn(
          "region {} of {} is not used again: {} reads and writes in it failed",
          region,
          regions,
          MOST_DAMAGES);
      return;
    }
    addDead(region);
  }

  /** Returns the one that is to be filled next. There must be one. */
  int next() {
    ArrayDeque<Integer> first = blank.isEmpty() ? dead : blank;
    return drives.areSeveral() ? onBestDrive(first) : first.getFirst();
  }

  private int onBestDrive(ArrayDeque<Integer> some) {
    int[] free = new int[onDrive.length];
    some.forEach(region -> free[drives.of(region)]++);
    int best = drives.choose(free, onDrive);
    for (int region : some) {
      if (drives.of(region) == best) {
        return region;
      }
    }
    return some.getFirst();
  }

  /** Removes the one that is filled next, as {@link #next} said. */
  void removeNext(int region) {
    (blank.isEmpty() ? dead : blank).removeFirstOccurrence(numbers[region]);
    count();
  }

  /**
   * Removes the one with dead blocks that would be filled last; empty if there is none, or it may
   * soon be needed.
   */
  OptionalInt removeLastDead() {
    if (dead.isEmpty() || wanted() >= -1) {
      return OptionalInt.empty();
    }
    int region = dead.removeLast();
    count();
    return OptionalInt.of(region);
  }

  private void count() {
    count = blank.size() + dead.size();
  }

  /** Returns those that hold dead blocks, in the order in which they will be filled. */
  List<Integer> dead() {
    return List.copyOf(dead);
  }

  /** Returns whether there is none. */
  boolean none() {
    return count == 0;
  }

  /** Returns how many more there should be; negative if there are more. */
  int wanted() {
    return Math.max(2, Math.min(MOST_WANTED, regions / 16)) - count;
  }

  /** A read or a write in a region failed. */
  void damaged(int region) {
    damages.getAndIncrement(region);
  }

  /** Returns what this takes on the heap, in bytes. */
  long metadataBytes() {
    return (long) regions * BYTES_PER_REGION;
  }
}
