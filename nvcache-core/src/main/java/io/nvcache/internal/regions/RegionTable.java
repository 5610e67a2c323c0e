// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.DriveSet;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;

/**
 * The regions of a medium: which of them are free, and which generation the others have. A region
 * has a generation from its opening until it is {@linkplain #free freed}, which is after the last
 * of its entries is out of the index. An entry that is unchanged while it is read is therefore one
 * of the region's present generation.
 *
 * <p><b>Locking.</b> The monitor is taken to open and to free regions; readers take none. Below the
 * monitor of the {@link AppendLog}.
 */
public final class RegionTable {
  /** The generation of a region that is free. */
  static final long NO_GENERATION = -1;

  private final int count;
  private final int regionBytes;

  /** The generation of each region, or none if it is free. */
  private final AtomicLongArray generations;

  /** The lowest generation that the medium may show of each region; none if it shows none. */
  private final AtomicLongArray headers;

  private final FreeRegions free;
  private final RegionDrives drives;

  /** The first generation that this cache gives; those below are an earlier one's. */
  private volatile long firstGeneration;

  private volatile boolean awaitsRestore;

  /** Begins with regions that are all free, and of which the medium shows nothing. */
  public RegionTable(Sizing sizing) {
    this(sizing, DriveSet.ONE);
  }

  /** The same on several drives; regions on those that are lost are not in use. */
  public RegionTable(Sizing sizing, DriveSet drives) {
    this.count = RegionLayout.regions(sizing.capacityBytes(), sizing.extentBytes());
    this.regionBytes = sizing.extentBytes();
    this.generations = new AtomicLongArray(count);
    this.headers = new AtomicLongArray(count);
    this.drives = new RegionDrives(drives, regionBytes);
    this.free = new FreeRegions(count, this.drives);
    for (int i = 0; i < count; i++) {
      generations.set(i, NO_GENERATION);
      headers.set(i, NO_GENERATION);
      free.addBlank(i);
    }
  }

  /** Returns how many regions there are. */
  public int count() {
    return count;
  }

  /** Returns the length of a region. */
  public int regionBytes() {
    return regionBytes;
  }

  /** Returns the place on the medium of a region. */
  public long mediumOffset(int region) {
    return RegionLayout.regionOffset(region, regionBytes);
  }

  /** Returns the generation of a region; a negative number if it is free. */
  public long generation(int region) {
    return generations.get(region);
  }

  /** Returns whether no region is free. */
  boolean isFull() {
    return free.none();
  }

  /**
   * Opens the region that is to be filled next.
   *
   * @param prepare does what else is to be done; if it throws, the region stays free
   * @return false if none is free
   */
  synchronized boolean open(long generation, IntConsumer prepare) {
    if (free.none()) {
      return false;
    }
    int region = free.next();
    prepare.accept(region);
    free.removeNext(region);
    generations.set(region, generation);
    return true;
  }

  /** Nothing is appended until {@link #endRestore}: what the regions hold is not known yet. */
  public synchronized void beginRestore() {
    awaitsRestore = true;
    free.clear();
    for (int region = 0; region < count; region++) {
      headers.set(region, drives.areLostAt(region) ? NO_GENERATION : 0);
    }
  }

  /** Returns whether it is not known yet what the regions hold. */
  public boolean awaitsRestore() {
    return awaitsRestore;
  }

  /** Takes over a region that an earlier cache filled. Before its entries are in the index. */
  public synchronized void adopt(int region, long generation) {
    generations.set(region, generation);
  }

  /**
   * All regions that were not adopted are free. If this finds no memory, nothing has changed.
   *
   * @param first above the generations of all that were adopted
   * @param blanks the regions without blocks of an earlier cache
   */
  synchronized void freeOthers(long first, BitSet blanks) {
    free.addUnused(region -> generations.get(region) == NO_GENERATION, blanks);
    firstGeneration = first;
  }

  /** Ends the restore: from here on it is known what the regions hold. */
  synchronized void endRestore() {
    awaitsRestore = false;
  }

  /** Returns the free regions that hold dead blocks, those first that are filled next. */
  public synchronized List<Integer> deadRegions() {
    return free.dead();
  }

  /**
   * Takes out a free region that holds dead blocks, the one that would be filled last; empty if
   * there is none, or it may soon be needed. It is not filled before it was {@linkplain #discarded
   * discarded}, or {@linkplain #keepDead not}.
   */
  public synchronized OptionalInt takeDead() {
    return free.removeLastDead();
  }

  /** A region that was taken out holds no blocks any more. */
  public synchronized void discarded(int region) {
    headers.set(region, NO_GENERATION);
    free.addBlank(region);
  }

  /** A region that was taken out may still hold dead blocks. */
  public synchronized void keepDead(int region) {
    free.addDead(region);
  }

  /** Returns whether a region lies on a drive. */
  boolean isOn(int drive, int region) {
    return drives.of(region) == drive;
  }

  /**
   * Takes a region out of use: its drive is lost, and no cache will find what is on it.
   *
   * @param isEmpty whether no entry of it is in the index, and none will be
   */
  synchronized void lose(int region, boolean isEmpty) {
    headers.set(region, NO_GENERATION);
    free.remove(region);
    if (isEmpty) {
      generations.set(region, NO_GENERATION);
    }
  }

  /** Takes down the generation in the header that the medium has of a region for certain. */
  public void putHeader(int region, long generation) {
    headers.set(region, generation);
  }

  /**
   * Returns the lowest generation that the next cache may find. A region that was freed, or opened
   * again in the buffer only, shows its last one until another header is written. One whose header
   * could not be read, or was damaged, may show any: the next cache may read what this one could
   * not.
   */
  public long lowestGeneration() {
    long lowest = Long.MAX_VALUE;
    for (int region = 0; region < count; region++) {
      long its = headers.get(region);
      lowest = its < 0 ? lowest : Math.min(lowest, its);
    }
    return lowest;
  }

  /** Returns the first generation that is this cache's own. */
  public long firstGeneration() {
    return firstGeneration;
  }

  /** Returns how many more regions should be free. */
  public int wanted() {
    return free.wanted();
  }

  /** Returns whether more regions are free than should be. */
  public boolean hasRoomToSpare() {
    return wanted() < 0;
  }

  /** A read or a write in a region failed. */
  public void damaged(int region) {
    free.damaged(region);
  }

  /**
   * Frees a region: no entry of it is in the index. One that was damaged several times is not used
   * again, up to a part of the medium.
   */
  public synchronized void free(int region) {
    generations.set(region, NO_GENERATION);
    free.addUsed(region);
  }

  /** Returns what this takes on the heap, in bytes. */
  long metadataBytes() {
    return (long) count * (2 * Long.BYTES + Integer.BYTES) + free.metadataBytes();
  }
}
