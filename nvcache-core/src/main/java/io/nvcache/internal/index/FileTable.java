// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Gives the files that have cached blocks small numbers, which the index's keys are made of, and
 * takes a number back only when its last block is gone. Forgetting a file is thus one step: its
 * blocks can't be found any more, and are reclaimed later.
 *
 * <p><b>Guarantees.</b> A number means one file segment from {@link #acquire} until the file was
 * {@linkplain #drop dropped} <em>and</em> all its blocks were {@linkplain #release released}; while
 * an entry is in the index, its number has one owner. A reader that read a block under a number
 * must therefore make sure that the file {@linkplain #isStill still} has it, and after that see the
 * block's entry unchanged: then the owner that it found is the one whose block it read.
 *
 * <p><b>Locking.</b> {@code find} takes no lock, nor do {@code acquire} and {@code release} of a
 * file that has a number and is not dropped.
 *
 * <p>{@code find} reads an open-addressed table whose cells are written once: a cell's second half
 * is published after its first, and a dropped cell keeps its file and gets the number {@link
 * #DROPPED}, so that a reader can't pair one file with another's number. Cells are won back by
 * rebuilding the table.
 *
 * <p><b>Memory.</b> A file all of whose blocks are gone keeps its number only until about half of
 * all numbers belong to such files: what is kept is bounded by the files that have blocks, not by
 * those that were ever seen.
 *
 * <pre>
 *   cell:   | fileId (64) | segment (32) : number (32) |     second half 0: empty
 * </pre>
 */
public final class FileTable {
  /** What {@link #find} returns for a file that has no cached blocks. */
  public static final int NONE = 0;

  private static final int DROPPED = -1;
  private static final int CELL_LONGS = 2;

  /** Below this many numbers there is no search for files without blocks. */
  private static final int FEW_NUMBERS = 1 << 12;

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  private final FileNumbers numbers;
  private final IndexHash hash;
  private volatile long[] cells = new long[64 * CELL_LONGS];

  /** How often a number was taken from its file. */
  private volatile int drops;

  private int usedCells;
  private int liveFiles;

  private final ExtraSegments extraSegments;

  /** When this many numbers were given, files without blocks lose theirs. */
  private int sweepAt = FEW_NUMBERS;

  private volatile long deadBlocks;

  public FileTable() {
    this(BucketLayout.MAX_FILE_NUMBER);
  }

  public FileTable(int maxNumber) {
    this(maxNumber, 0);
  }

  /** With its own seed, so that no caller can choose file ids that collide. */
  public FileTable(int maxNumber, long seed) {
    this(maxNumber, seed, new ExtraSegments());
  }

  public FileTable(int maxNumber, long seed, ExtraSegments extraSegments) {
    this.numbers = new FileNumbers(maxNumber);
    this.extraSegments = extraSegments;
    this.hash = new IndexHash(seed);
  }

  /** Returns the number of a file's segment, or {@link #NONE}. */
  public int find(long fileId, int segment) {
    long[] table = cells;
    int i = home(fileId, segment) & (table.length - CELL_LONGS);
    long half = (long) CELLS.getAcquire(table, i + 1);
    int number = (int) half;
    if (number > 0 && table[i] == fileId && (int) (half >>> Integer.SIZE) == segment) {
      return number;
    }
    return half == 0 ? NONE : findBehind(table, i, fileId, segment);
  }

  private static int findBehind(long[] table, int home, long fileId, int segment) {
    int mask = table.length - CELL_LONGS;
    for (int i = (home + CELL_LONGS) & mask; ; i = (i + CELL_LONGS) & mask) {
      long half = (long) CELLS.getAcquire(table, i + 1);
      if (half == 0) {
        return NONE;
      }
      int number = (int) half;
      if (table[i] == fileId && (int) (half >>> Integer.SIZE) == segment && number != DROPPED) {
        return number;
      }
    }
  }

  /** Returns the number of drops, which {@link #isStill} takes; to be read before {@link #find}. */
  public int drops() {
    return drops;
  }

  /** Returns whether the number that was found after {@code drops} were read is the file's now. */
  public boolean isStill(int number, long fileId, int segment, int dropsBefore) {
    return drops == dropsBefore || find(fileId, segment) == number;
  }

  /**
   * Counts one more block of a file's segment, giving it a number if it has none.
   *
   * @return the number, or {@link #NONE} if all numbers are taken
   */
  public int acquire(long fileId, int segment) {
    int before = drops;
    int number = find(fileId, segment);
    if (number != NONE && numbers.count(number)) {
      // The number may have passed to another file before it was counted; now it can't.
      if (isStill(number, fileId, segment, before)) {
        return number;
      }
      release(number);
    }
    return acquireLocked(fileId, segment);
  }

  private synchronized int acquireLocked(long fileId, int segment) {
    int number = find(fileId, segment);
    if (number == NONE) {
      number = takeNumber();
      if (number == NONE) {
        return NONE;
      }
      give(fileId, segment, number);
    }
    numbers.count(number);
    return number;
  }

  /** All of it or, should memory run out, nothing: what can be found is listed to be dropped. */
  private void give(long fileId, int segment, int number) {
    boolean given = false;
    try {
      extraSegments.add(fileId, segment);
      publish(fileId, segment, number);
      given = true;
    } finally {
      if (!given) {
        numbers.giveBack(
            number); // First, since it needs no memory. A segment too many in the list is idle.
        extraSegments.remove(fileId, segment);
      }
    }
    liveFiles++;
  }

  /** Returns the number that is given when none can be given again. */
  public synchronized int nextNumber() {
    return numbers.next();
  }

  /**
   * Keeps the numbers below one for {@link #reserve}, until {@link #endHolding}. Called before any
   * number is given.
   */
  public synchronized void hold(int below) {
    numbers.hold(below);
  }

  /** Lets any file have the numbers that were held and not asked for. */
  public synchronized void endHolding() {
    numbers.endHolding();
  }

  /**
   * Returns a number for a segment of a file whose id may not be known yet: nothing finds it until
   * it is {@linkplain #claim claimed}. It is kept until then, or until it is {@linkplain #disown
   * disowned}.
   *
   * @param wanted the number to return if it is held; else it is any
   * @return {@link #NONE} if all are taken
   */
  public synchronized int reserve(int wanted) {
    return numbers.takeHeld(wanted) ? wanted : takeNumber();
  }

  /** Counts one more block under a number; false if it was dropped. Then nothing was counted. */
  public boolean count(int number) {
    return numbers.count(number);
  }

  /**
   * Gives a file's segment a number that was reserved: from now on its blocks can be found.
   *
   * @return false if the segment has a number; then nothing was done
   */
  public synchronized boolean claim(long fileId, int segment, int number) {
    if (find(fileId, segment) != NONE) {
      return false;
    }
    extraSegments.add(fileId, segment);
    publish(fileId, segment, number);
    liveFiles++;
    return true;
  }

  /**
   * Has the blocks of a file be found under another id of it, and no more under the first. Only for
   * ids of one and the same file: for a moment the blocks are found under both.
   */
  public synchronized void pass(long fromId, long toId) {
    passSegment(fromId, toId, 0);
    for (int segment : List.copyOf(extraSegments.of(fromId))) {
      passSegment(fromId, toId, segment);
    }
  }

  private synchronized void passSegment(long fromId, long toId, int segment) {
    int number = find(fromId, segment);
    if (number == NONE || !claim(toId, segment, number)) {
      return;
    }
    unpublish(fromId, segment);
    extraSegments.remove(fromId, segment);
  }

  /** Gives a reserved number up: its blocks are reclaimed, and then another file may have it. */
  public synchronized void disown(int number) {
    int state = numbers.drop(number);
    deadBlocks += state / FileNumbers.ONE_BLOCK;
    if (state == 0) {
      numbers.giveBack(number);
    }
  }

  /** Counts one block less. */
  public void release(int number) {
    int state = numbers.uncount(number);
    assert state >= 0 : "file number " + number;
    if ((state & FileNumbers.DROPPED_BIT) != 0) {
      releaseDead(number, state);
    }
  }

  private synchronized void releaseDead(int number, int state) {
    deadBlocks--;
    if (state == FileNumbers.DROPPED_BIT) {
      numbers.giveBack(number);
    }
  }

  /** Forgets a file: from now on none of its blocks can be found. */
  public synchronized void drop(long fileId) {
    dropSegment(fileId, 0);
    for (int segment : extraSegments.of(fileId)) {
      dropSegment(fileId, segment);
    }
    extraSegments.remove(fileId); // Last, so that a drop that fails midway can be asked for again.
  }

  private synchronized void dropSegment(long fileId, int segment) {
    int number = find(fileId, segment);
    if (number == NONE) {
      return;
    }
    unpublish(fileId, segment);
    disown(number);
  }

  /** Lets nothing find a segment's number any more; the number is still taken. */
  private synchronized void unpublish(long fileId, int segment) {
    CELLS.setRelease(cells, cellOf(fileId, segment) + 1, half(segment, DROPPED));
    drops++; // Before another file can have the number; see isStill.
    liveFiles--;
  }

  private int cellOf(long fileId, int segment) {
    int mask = cells.length - CELL_LONGS;
    int i = home(fileId, segment) & mask;
    while (cells[i] != fileId
        || (int) (cells[i + 1] >>> Integer.SIZE) != segment
        || (int) cells[i + 1] == DROPPED) {
      i = (i + CELL_LONGS) & mask;
    }
    return i;
  }

  /** Returns whether the blocks under this number are to be reclaimed. */
  public boolean isDropped(int number) {
    return numbers.isDropped(number);
  }

  /** Returns whether some block is counted under this number. */
  public boolean isCounted(int number) {
    return numbers.blocks(number) > 0;
  }

  /** Returns how many blocks of dropped files are still in the index. */
  public long deadBlocks() {
    return deadBlocks;
  }

  /**
   * Returns how many blocks are counted under any number, blocks of dropped files included. Adds
   * them up, so that those who insert and remove share no counter.
   */
  public long blocks() {
    return numbers.blocks();
  }

  /** Returns how many file segments have a number and were not dropped. */
  synchronized int liveFiles() {
    return liveFiles;
  }

  /** Returns how many blocks of a file are in the index. */
  public synchronized long blocks(long fileId) {
    long blocks = numbers.blocks(find(fileId, 0));
    for (int segment : extraSegments.of(fileId)) {
      blocks += numbers.blocks(find(fileId, segment));
    }
    return blocks;
  }

  /**
   * Returns the file that a number was last given to. Only if {@link #find} gives its {@linkplain
   * #segmentOf segment} this number does the file have it now.
   *
   * @param number a key's in the index
   */
  public long fileIdOf(int number) {
    return numbers.isKnown(number) ? numbers.fileId(number) : 0;
  }

  /** Returns which segment of the file it is; see {@link #fileIdOf}. */
  public int segmentOf(int number) {
    return numbers.isKnown(number) ? numbers.segment(number) : 0;
  }

  /** Returns the longest row of cells without an empty one: no search looks at more. */
  synchronized int longestRun() {
    long[] table = cells;
    int longest = 0;
    int run = 0;
    for (int i = 1; i < 2 * table.length && longest < table.length / CELL_LONGS; i += CELL_LONGS) {
      run = table[i & (table.length - 1)] == 0 ? 0 : run + 1;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  public long metadataBytes() {
    return cells.length * (long) Long.BYTES + numbers.metadataBytes();
  }

  private int takeNumber() {
    if (!numbers.hasFree() && (numbers.next() >= sweepAt || !numbers.hasNext())) {
      dropIdleFiles();
    }
    return numbers.take();
  }

  /**
   * Takes the numbers of files all of whose blocks were evicted. The next pass comes after as many
   * new files as half of those that are left, so that its cost for each of them is constant.
   */
  private void dropIdleFiles() {
    long[] table = cells;
    for (int i = 0; i < table.length; i += CELL_LONGS) {
      int number = (int) table[i + 1];
      if (number > 0 && numbers.dropIfIdle(number)) {
        long fileId = table[i];
        int segment = (int) (table[i + 1] >>> Integer.SIZE);
        unpublish(fileId, segment);
        extraSegments.remove(fileId, segment);
        numbers.giveBack(number);
      }
    }
    int enough = Math.max(FEW_NUMBERS, liveFiles) / 2;
    sweepAt = numbers.next() + Math.max(0, enough - numbers.free());
  }

  private void publish(long fileId, int segment, int number) {
    if (2 * CELL_LONGS * (usedCells + 1) > cells.length) {
      rebuild();
    }
    numbers.own(number, fileId, segment); // First: who finds the number may ask whose it is.
    put(cells, fileId, half(segment, number));
    usedCells++;
  }

  private void rebuild() {
    long[] old = cells;
    int size = 64;
    while (size < 4 * (liveFiles + 1)) {
      size *= 2;
    }
    long[] rebuilt = new long[size * CELL_LONGS];
    usedCells = 0;
    for (int i = 0; i < old.length; i += CELL_LONGS) {
      if ((int) old[i + 1] > 0) {
        put(rebuilt, old[i], old[i + 1]);
        usedCells++;
      }
    }
    cells = rebuilt;
  }

  private void put(long[] table, long fileId, long half) {
    int mask = table.length - CELL_LONGS;
    int i = home(fileId, (int) (half >>> Integer.SIZE)) & mask;
    while (table[i + 1] != 0) {
      i = (i + CELL_LONGS) & mask;
    }
    table[i] = fileId;
    CELLS.setRelease(table, i + 1, half);
  }

  private static long half(int segment, int number) {
    return (long) segment << Integer.SIZE | Integer.toUnsignedLong(number);
  }

  /** Returns where the search begins, before it is cut to the table's size. */
  private int home(long fileId, int segment) {
    long h = hash.of(fileId + segment * 0xc2b2ae3d27d4eb4fL);
    return (int) (h >>> Integer.SIZE) * CELL_LONGS;
  }
}
