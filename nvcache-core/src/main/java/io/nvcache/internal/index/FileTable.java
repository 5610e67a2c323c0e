// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

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
 * <b>Locking.</b> {@code find} takes no lock, nor do {@code acquire} and {@code release} of a file
 * that has a number and is not dropped.
 *
 * <p>{@code find} reads an open-addressed table whose cells are written once: a cell's second half
 * is published after its first, and a dropped cell keeps its file and gets the number {@link
 * #DROPPED}, so that a reader can't pair one file with another's number. Cells are won back by
 * building the table anew.
 *
 * <pre>
 *   cell:   | fileId (64) | segment (32) : number (32) |     second half 0: empty
 *   state:  | blocks in the index (31) : dropped (1) |       by number
 * </pre>
 */
public final class FileTable {
  /** What {@link #find} returns for a file that has no cached blocks. */
  public static final int NONE = 0;

  private static final int DROPPED = -1;
  private static final int DROPPED_BIT = 1;
  private static final int ONE_BLOCK = 2;
  private static final int CELL_LONGS = 2;
  private static final int CHUNK_SHIFT = 10;
  private static final int CHUNK = 1 << CHUNK_SHIFT;
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  private final int maxNumber;
  private final IndexHash hash;
  private volatile long[] cells = new long[64 * CELL_LONGS];

  /** How often a number was taken from its file. */
  private volatile int drops;

  /** By number, in chunks that stay where they are. */
  private volatile AtomicIntegerArray[] states = {new AtomicIntegerArray(CHUNK)};

  private int usedCells;
  private int liveFiles;

  private final ExtraSegments further;

  /** Numbers that can be given again. */
  private int[] free = new int[CHUNK];

  private int freeCount;
  private int nextNumber = 1;

  /** Numbers below the next one that only who asks for them may have. */
  private final BitSet held = new BitSet();

  private volatile long deadBlocks;

  public FileTable() {
    this(BucketLayout.MAX_FILE_NUMBER);
  }

  public FileTable(int maxNumber) {
    this(maxNumber, 0);
  }

  /** With a seed of one's own, so that no caller can choose file ids that collide. */
  public FileTable(int maxNumber, long seed) {
    this(maxNumber, seed, new ExtraSegments());
  }

  public FileTable(int maxNumber, long seed, ExtraSegments further) {
    this.maxNumber = maxNumber;
    this.further = further;
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

  /** To be read before {@link #find}, for {@link #isStill}. */
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
    if (number != NONE && count(number)) {
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
    chunk(number).getAndAdd(inChunk(number), ONE_BLOCK);
    return number;
  }

  /** All of it or, should memory run out, nothing: what can be found is listed to be dropped. */
  private void give(long fileId, int segment, int number) {
    boolean given = false;
    try {
      further.add(fileId, segment);
      publish(fileId, segment, number);
      given = true;
    } finally {
      if (!given) {
        giveBack(
            number); // First, since it needs no memory. A segment too many in the list is idle.
        further.remove(fileId, segment);
      }
    }
    liveFiles++;
  }

  /** Returns the number that is given when none can be given again. */
  public synchronized int nextNumber() {
    return nextNumber;
  }

  /**
   * Keeps the numbers below one for {@link #reserve}, until {@link #endHolding}. Called before any
   * number is given.
   */
  public synchronized void hold(int below) {
    if (below <= 1 || below > maxNumber) {
      return;
    }
    while (states.length <= below >>> CHUNK_SHIFT) {
      grow();
    }
    held.set(1, below);
    nextNumber = below;
  }

  /** Lets any file have the numbers that were held and not asked for. */
  public synchronized void endHolding() {
    held.stream().forEach(this::giveBack);
    held.clear();
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
    if (wanted > 0 && held.get(wanted)) {
      held.clear(wanted);
      return wanted;
    }
    return takeNumber();
  }

  /** Counts one more block under a number; false if it was dropped. Then nothing was counted. */
  public boolean count(int number) {
    AtomicIntegerArray chunk = chunk(number);
    int i = inChunk(number);
    while (true) {
      int state = chunk.get(i);
      if ((state & DROPPED_BIT) != 0) {
        return false;
      }
      if (chunk.compareAndSet(i, state, state + ONE_BLOCK)) {
        return true;
      }
    }
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
    further.add(fileId, segment);
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
    for (int segment : List.copyOf(further.of(fromId))) {
      passSegment(fromId, toId, segment);
    }
  }

  private synchronized void passSegment(long fromId, long toId, int segment) {
    int number = find(fromId, segment);
    if (number == NONE || !claim(toId, segment, number)) {
      return;
    }
    unpublish(fromId, segment);
    further.remove(fromId, segment);
  }

  /** Gives a reserved number up: its blocks are reclaimed, and then another file may have it. */
  public synchronized void disown(int number) {
    int state = chunk(number).getAndAdd(inChunk(number), DROPPED_BIT);
    deadBlocks += state / ONE_BLOCK;
    if (state == 0) {
      giveBack(number);
    }
  }

  /** Counts one block less. */
  public void release(int number) {
    int state = chunk(number).addAndGet(inChunk(number), -ONE_BLOCK);
    assert state >= 0 : "file number " + number;
    if ((state & DROPPED_BIT) != 0) {
      releaseDead(number, state);
    }
  }

  private synchronized void releaseDead(int number, int state) {
    deadBlocks--;
    if (state == DROPPED_BIT) {
      giveBack(number);
    }
  }

  /** Forgets a file: from now on none of its blocks can be found. */
  public synchronized void drop(long fileId) {
    dropSegment(fileId, 0);
    for (int segment : further.of(fileId)) {
      dropSegment(fileId, segment);
    }
    further.remove(fileId); // Last, so that a drop that fails midway can be asked for again.
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
    AtomicIntegerArray[] chunks = states;
    return number >>> CHUNK_SHIFT < chunks.length
        && (chunks[number >>> CHUNK_SHIFT].get(inChunk(number)) & DROPPED_BIT) != 0;
  }

  /** Returns whether some block is counted under this number. */
  public boolean isCounted(int number) {
    AtomicIntegerArray[] chunks = states;
    return number > 0
        && number >>> CHUNK_SHIFT < chunks.length
        && chunks[number >>> CHUNK_SHIFT].get(inChunk(number)) >= ONE_BLOCK;
  }

  /** Returns how many blocks of dropped files are still in the index. */
  public long deadBlocks() {
    return deadBlocks;
  }

  /**
   * Returns how many blocks are counted under any number, those of dropped files included. Adds
   * them up, so that those who insert and remove share no counter.
   */
  public long blocks() {
    long blocks = 0;
    for (AtomicIntegerArray chunk : states) {
      for (int i = 0; i < CHUNK; i++) {
        blocks += chunk.getPlain(i) / ONE_BLOCK;
      }
    }
    return blocks;
  }

  /** Returns how many file segments have a number and were not dropped. */
  synchronized int liveFiles() {
    return liveFiles;
  }

  /** Returns how many blocks of a file are in the index. */
  public synchronized long blocks(long fileId) {
    long blocks = blocks(find(fileId, 0));
    for (int segment : further.of(fileId)) {
      blocks += blocks(find(fileId, segment));
    }
    return blocks;
  }

  private long blocks(int number) {
    return number == NONE ? 0 : chunk(number).get(inChunk(number)) / ONE_BLOCK;
  }

  /** Who owns which number now. */
  public FileNumberSnapshot owners() {
    FileNumberSnapshot owners = new FileNumberSnapshot(drops, states.length * CHUNK);
    long[] table = cells;
    for (int i = 0; i < table.length; i += CELL_LONGS) {
      long half = (long) CELLS.getAcquire(table, i + 1);
      int number = (int) half;
      if (number > 0) {
        owners.put(number, table[i], (int) (half >>> Integer.SIZE));
      }
    }
    return owners;
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
    return cells.length * (long) Long.BYTES + states.length * (2L * CHUNK * Integer.BYTES);
  }

  private AtomicIntegerArray chunk(int number) {
    return states[number >>> CHUNK_SHIFT];
  }

  private static int inChunk(int number) {
    return number & (CHUNK - 1);
  }

  private int takeNumber() {
    if (freeCount > 0) {
      int number = free[--freeCount];
      chunk(number).set(inChunk(number), 0);
      return number;
    }
    if (nextNumber > maxNumber) {
      dropIdleFiles();
      return freeCount > 0 ? takeNumber() : NONE;
    }
    if (nextNumber >>> CHUNK_SHIFT == states.length) {
      grow();
    }
    return nextNumber++;
  }

  /** All that giving numbers back will need is taken here: releasing must not fail for memory. */
  private void grow() {
    int chunks = states.length;
    AtomicIntegerArray[] more = Arrays.copyOf(states, chunks + 1);
    more[chunks] = new AtomicIntegerArray(CHUNK);
    free = Arrays.copyOf(free, (chunks + 1) * CHUNK);
    states = more;
  }

  private void giveBack(int number) {
    free[freeCount++] = number;
  }

  /** Files all of whose blocks were evicted keep their number until there is need of it. */
  private void dropIdleFiles() {
    long[] table = cells;
    for (int i = 0; i < table.length; i += CELL_LONGS) {
      int number = (int) table[i + 1];
      if (number > 0 && chunk(number).get(inChunk(number)) == 0) {
        dropIdle(table[i], (int) (table[i + 1] >>> Integer.SIZE));
      }
    }
  }

  private void dropIdle(long fileId, int segment) {
    dropSegment(fileId, segment);
    further.remove(fileId, segment);
  }

  private void publish(long fileId, int segment, int number) {
    if (2 * CELL_LONGS * (usedCells + 1) > cells.length) {
      rebuild();
    }
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
