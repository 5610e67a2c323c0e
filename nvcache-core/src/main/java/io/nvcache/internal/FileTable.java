// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Gives the files that have cached blocks small numbers, which the index's keys are made of, and
 * takes a number back only when its last block is gone. Forgetting a file is thus one step: its
 * blocks can't be found any more, and are reclaimed later.
 *
 * <p><b>Guarantees.</b> A number means one file segment from {@link #acquire} until the file was
 * {@linkplain #drop dropped} <em>and</em> all its blocks were {@linkplain #release released}; while
 * an entry is in the index, its number has one owner. A reader that read a block under a number
 * must therefore ask {@link #find} again, and after that see the block's entry unchanged: then the
 * owner it was told is the one whose block it read. <b>Locking.</b> {@code find} takes no lock; all
 * else does, and is off the hit path.
 *
 * <p>{@code find} reads an open-addressed table whose cells are written once: a cell's number is
 * published after its file, and a dropped cell keeps its file and gets the number {@link #DROPPED},
 * so that a reader can't pair one file with another's number. Cells are won back by building the
 * table anew.
 */
final class FileTable {
  /** What {@link #find} returns for a file that has no cached blocks. */
  static final int NONE = 0;

  private static final int DROPPED = -1;
  private static final VarHandle NUMBERS = MethodHandles.arrayElementVarHandle(int[].class);

  private static final class Cells {
    final long[] fileIds;
    final int[] segments;
    final int[] numbers;

    Cells(int size) {
      this.fileIds = new long[size];
      this.segments = new int[size];
      this.numbers = new int[size];
    }

    int size() {
      return numbers.length;
    }
  }

  private final int maxNumber;
  private volatile Cells cells = new Cells(64);
  private int usedCells;
  private int liveFiles;

  /** The further segments of the few files longer than one. */
  private final Map<Long, Set<Integer>> furtherSegments = new HashMap<>();

  /** By number: blocks in the index. */
  private int[] blocks = new int[64];

  /** By number: whether its file was dropped. */
  private volatile boolean[] dropped = new boolean[64];

  /** Numbers that can be given again. */
  private int[] free = new int[64];

  private int freeCount;
  private int nextNumber = 1;
  private volatile long deadBlocks;

  FileTable() {
    this(BucketLayout.MAX_FILE_NUMBER);
  }

  FileTable(int maxNumber) {
    this.maxNumber = maxNumber;
  }

  /** The number of a file's segment, or {@link #NONE}. */
  int find(long fileId, int segment) {
    Cells table = cells;
    int mask = table.size() - 1;
    for (int i = hash(fileId, segment) & mask; ; i = (i + 1) & mask) {
      int number = (int) NUMBERS.getAcquire(table.numbers, i);
      if (number == NONE) {
        return NONE;
      }
      if (table.fileIds[i] == fileId && table.segments[i] == segment && number != DROPPED) {
        return number;
      }
    }
  }

  /**
   * Counts one more block of a file's segment, giving it a number if it has none.
   *
   * @return the number, or {@link #NONE} if all numbers are taken
   */
  synchronized int acquire(long fileId, int segment) {
    int number = find(fileId, segment);
    if (number == NONE) {
      number = takeNumber();
      if (number == NONE) {
        return NONE;
      }
      publish(fileId, segment, number);
      liveFiles++;
      if (segment != 0) {
        furtherSegments.computeIfAbsent(fileId, first -> new HashSet<>()).add(segment);
      }
    }
    blocks[number]++;
    return number;
  }

  /** Counts one block less. */
  synchronized void release(int number) {
    blocks[number]--;
    assert blocks[number] >= 0 : "file number " + number;
    if (dropped[number]) {
      deadBlocks--;
      giveBackIfUnused(number);
    }
  }

  /** Forgets a file: from now on none of its blocks can be found. */
  synchronized void drop(long fileId) {
    dropSegment(fileId, 0);
    Set<Integer> further = furtherSegments.remove(fileId);
    if (further != null) {
      further.forEach(segment -> dropSegment(fileId, segment));
    }
  }

  private synchronized void dropSegment(long fileId, int segment) {
    Cells table = cells;
    int mask = table.size() - 1;
    for (int i = hash(fileId, segment) & mask; table.numbers[i] != NONE; i = (i + 1) & mask) {
      int number = table.numbers[i];
      if (table.fileIds[i] == fileId && table.segments[i] == segment && number != DROPPED) {
        NUMBERS.setRelease(table.numbers, i, DROPPED);
        liveFiles--;
        dropped[number] = true;
        deadBlocks += blocks[number];
        giveBackIfUnused(number);
        return;
      }
    }
  }

  /** Whether the blocks under this number are to be reclaimed. */
  boolean isDropped(int number) {
    boolean[] flags = dropped;
    return number < flags.length && flags[number];
  }

  /** How many blocks of dropped files are still in the index. */
  long deadBlocks() {
    return deadBlocks;
  }

  /** How many file segments have a number and were not dropped. */
  synchronized int liveFiles() {
    return liveFiles;
  }

  long metadataBytes() {
    long perCell = Long.BYTES + 2L * Integer.BYTES;
    return cells.size() * perCell + dropped.length * (Integer.BYTES + 1L);
  }

  private int takeNumber() {
    if (freeCount > 0) {
      int number = free[--freeCount];
      dropped[number] = false;
      return number;
    }
    if (nextNumber > maxNumber) {
      dropIdleFiles();
      return freeCount > 0 ? takeNumber() : NONE;
    }
    int number = nextNumber;
    if (number >= blocks.length) {
      grow(2 * number);
    }
    nextNumber = number + 1;
    return number;
  }

  /** All that giving numbers back will need is taken here: releasing must not fail for memory. */
  private void grow(int size) {
    int[] moreBlocks = Arrays.copyOf(blocks, size);
    boolean[] moreDropped = Arrays.copyOf(dropped, size);
    free = Arrays.copyOf(free, size);
    blocks = moreBlocks;
    dropped = moreDropped;
  }

  private void giveBackIfUnused(int number) {
    if (blocks[number] == 0) {
      free[freeCount++] = number;
    }
  }

  /** Files all of whose blocks were evicted keep their number until there is need of it. */
  private void dropIdleFiles() {
    Cells table = cells;
    for (int i = 0; i < table.size(); i++) {
      int number = table.numbers[i];
      if (number > 0 && blocks[number] == 0) {
        dropIdle(table.fileIds[i], table.segments[i]);
      }
    }
  }

  private void dropIdle(long fileId, int segment) {
    dropSegment(fileId, segment);
    Set<Integer> further = furtherSegments.get(fileId);
    if (further != null && further.remove(segment) && further.isEmpty()) {
      furtherSegments.remove(fileId);
    }
  }

  private void publish(long fileId, int segment, int number) {
    if (2 * (usedCells + 1) > cells.size()) {
      rebuild();
    }
    put(cells, fileId, segment, number);
    usedCells++;
  }

  private void rebuild() {
    Cells old = cells;
    int size = 64;
    while (size < 4 * (liveFiles + 1)) {
      size *= 2;
    }
    Cells rebuilt = new Cells(size);
    usedCells = 0;
    for (int i = 0; i < old.size(); i++) {
      if (old.numbers[i] > 0) {
        put(rebuilt, old.fileIds[i], old.segments[i], old.numbers[i]);
        usedCells++;
      }
    }
    cells = rebuilt;
  }

  private static void put(Cells table, long fileId, int segment, int number) {
    int mask = table.size() - 1;
    int i = hash(fileId, segment) & mask;
    while (table.numbers[i] != NONE) {
      i = (i + 1) & mask;
    }
    table.fileIds[i] = fileId;
    table.segments[i] = segment;
    NUMBERS.setRelease(table.numbers, i, number);
  }

  private static int hash(long fileId, int segment) {
    long h = (fileId + segment * 0xc2b2ae3d27d4eb4fL) * 0x9e3779b97f4a7c15L;
    return (int) (h >>> Integer.SIZE);
  }
}
