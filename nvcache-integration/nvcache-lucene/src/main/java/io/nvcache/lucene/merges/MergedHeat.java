// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.merges;

import io.nvcache.Source;
import io.nvcache.lucene.files.HotBlocks;
import io.nvcache.lucene.files.OpenedFile;
import io.nvcache.lucene.loads.DelegateReads;
import io.nvcache.lucene.loads.PoolTask;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Loads the hot blocks of merged files as soon as files that were merged are deleted: then their
 * blocks make room, and none that is read has to make room. What the cache does not take is tried
 * again when further ones are, and dropped once all are. One request at a time, on one thread of
 * the pool, and only as long as the cache takes what comes: its budget is above this.
 *
 * <p>Thread-safe. One thread at a time runs it; {@code asked} is above 0 as long as one does, or is
 * about to, and counts what it has not seen.
 */
public final class MergedHeat implements PoolTask {
  /**
   * After so many requests in a row of which the cache took nothing, it waits to be asked again.
   */
  private static final int MOST_REFUSED = 16;

  /** The space of deleted files is made free in the background. */
  private static final long REFUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Each block of an index or a dictionary is looked up far more often than one of documents. */
  private static final Comparator<Map.Entry<OpenedFile, HotBlocks>> SHORT_FIRST =
      Comparator.comparingLong(each -> each.getKey().lengthBytes());

  private final DelegateReads reads;
  private final Map<OpenedFile, HotBlocks> due = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final LongAdder carried = new LongAdder();

  /** Refusals in a row; used by the thread that runs this. */
  private int refusedInRow;

  public MergedHeat(DelegateReads reads) {
    this.reads = reads;
  }

  /** Takes what is to be loaded of a file that was opened for searching. */
  public void add(OpenedFile file) {
    HotBlocks hotBlocks = file.file().takeHotBlocks();
    if (hotBlocks != null) {
      due.put(file, hotBlocks);
    }
  }

  /** Removes a file that is closed; what has not been loaded of it is for its next opening. */
  public void remove(OpenedFile file) {
    HotBlocks notLoaded = due.remove(file);
    if (notLoaded != null) {
      file.file().giveBack(notLoaded);
    }
  }

  /** Has what is due loaded on another thread: files were deleted. */
  public void begin() {
    if (!due.isEmpty() && asked.getAndIncrement() == 0) {
      reads.execute(this);
    }
  }

  @Override
  public void cancel() {
    asked.set(0);
  }

  @Override
  public void run() {
    boolean complete = false;
    try {
      int seen;
      do {
        seen = asked.get();
        refusedInRow = 0;
        due.entrySet().stream()
            .sorted(SHORT_FIRST)
            .forEach(each -> load(each.getKey(), each.getValue()));
      } while (!asked.compareAndSet(seen, 0));
      complete = true;
    } finally {
      if (!complete) { // The delegate threw what it must not.
        asked.set(0);
      }
    }
  }

  /** Loads one run of adjacent blocks after the other, until the cache takes no more. */
  private void load(OpenedFile file, HotBlocks hot) {
    int gone = hot.goneInputs();
    if (gone > hot.goneAtLastTry() && refusedInRow < MOST_REFUSED) {
      boolean last = gone == hot.inputs();
      boolean complete = loadAll(file, hot.blocks(), last);
      if (complete || !last && isWanted(file)) {
        hot.tried(gone);
      }
    }
    if (hot.blocks().isEmpty() || file.file().isGone()) {
      due.remove(file);
    }
  }

  /**
   * Returns whether it came to the end.
   *
   * @param last whether blocks that the cache does not take are given up
   */
  private boolean loadAll(OpenedFile file, BitSet blocks, boolean last) {
    int first = blocks.nextSetBit(0);
    while (first >= 0 && refusedInRow < MOST_REFUSED && isWanted(file)) {
      int end = endOfRun(file, blocks, first);
      if (end == first) { // A reader was faster.
        blocks.clear(first);
        first = blocks.nextSetBit(first);
        continue;
      }
      // As reads, for reads of the blocks that they were made of are what they are worth.
      int taken = reads.load(file, first, end - first, blocks, Source.READ);
      carried.add(taken);
      if (!isWanted(file)) {
        return false; // What is left is for the next opening.
      }
      if (last) {
        blocks.clear(first, end);
      }
      if (taken > 0) {
        refusedInRow = 0;
      } else {
        refusedInRow++;
        LockSupport.parkNanos(REFUSED_NANOS);
      }
      first = blocks.nextSetBit(end);
    }
    return first < 0;
  }

  /** Returns the number of the block behind those that one request is to bring. */
  private int endOfRun(OpenedFile file, BitSet blocks, int first) {
    long blockBytes = file.blockBytes();
    int most = first + DelegateReads.maxBlocks(file.blockBytes());
    int end = first;
    while (end < most && blocks.get(end) && reads.isMissing(file, end * blockBytes)) {
      end++;
    }
    return end;
  }

  private static boolean isWanted(OpenedFile file) {
    return !file.isClosed() && !file.file().isGone();
  }

  /** Returns how many blocks were cached so. */
  public long carried() {
    return carried.sum();
  }
}
