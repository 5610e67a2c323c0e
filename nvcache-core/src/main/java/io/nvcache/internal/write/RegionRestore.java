// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.FileIdentity;
import io.nvcache.background.DaemonThread;
import io.nvcache.background.SafeLog;
import io.nvcache.background.Waiting;
import io.nvcache.control.RestoreLoss;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileIdentities;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.remove.RestoredSlots;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.RegionAllocator;
import io.nvcache.internal.space.RegionFooter;
import io.nvcache.internal.space.RegionReader;
import io.nvcache.internal.space.Superblock;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enters into the index what an earlier cache left in its regions, the newest first, while the
 * cache serves: first looks at the ends of all regions, then reads one footer at a time. No block
 * is read.
 *
 * <p><b>Guarantees.</b> A block that is in the index already stays. A file that was invalidated, or
 * a block of it, since the cache was built is not restored. A region in doubt is dropped, and
 * counted. Nothing is appended to before it is known which regions are free.
 *
 * <p>Used by one thread at a time.
 */
public final class RegionRestore {
  private static final Logger LOG = LoggerFactory.getLogger(RegionRestore.class);

  /** So many entries are made before an invalidation that waits has its turn. */
  private static final int BLOCKS_AT_ONCE = 256;

  /** For fewer, another thread does not pay. */
  private static final int REGIONS_PER_LOOKER = 256;

  private final BlockIndex index;
  private final FileTable files;
  private final RegionAllocator allocator;
  private final FileIdentities identities;
  private final Supplier<RegionReader> readers;
  private final RegionReader reader;
  private final int lookers;
  private final Superblock previous;
  private final RestoredSlots listener;
  private final CallGate gate;
  private final StripedCounters counters;
  private final RestoreProgress progress;
  private final String medium;
  private final Map<FileIdentity, Long> revoked;

  /** Of the regions that are yet to be restored, the newest first. */
  private Deque<RegionReader.Found> waiting = new ArrayDeque<>();

  /** Keeps the reads that it is the sum of from being left out. */
  @SuppressWarnings("UnusedVariable") // Written for its own sake.
  private long touched;

  private volatile boolean ended;

  /**
   * Makes the restore.
   *
   * @param readers each for one thread
   * @param lookers how many threads may look at regions at once
   */
  public RegionRestore(
      BlockTables tables,
      RegionAllocator allocator,
      FileIdentities identities,
      Supplier<RegionReader> readers,
      int lookers,
      Superblock previous,
      RestoredSlots listener,
      CallGate gate,
      StripedCounters counters,
      RestoreProgress progress) {
    this.index = tables.index();
    this.files = tables.files();
    this.allocator = allocator;
    this.identities = identities;
    this.readers = readers;
    this.reader = readers.get();
    this.lookers = lookers;
    this.previous = previous;
    this.listener = listener;
    this.gate = gate;
    this.counters = counters;
    this.progress = progress;
    this.medium = tables.space().medium().describe();
    this.revoked = previous.revokedGenerations();
    allocator.hold();
    index.takePagesAhead();
    identities.beginRestoring(previous.nextFileNumber());
    progress.begin(allocator.regions());
  }

  /** Returns whether something is left that can be done. */
  boolean isActive() {
    return !ended && !gate.isClosed();
  }

  /** Deals with the next region, or first looks at all of them. */
  void step() {
    if (!isActive()) {
      return;
    }
    if (allocator.isHeld()) {
      look();
      return;
    }
    if (allocator.wantedRegions() > 0 && !waiting.isEmpty()) {
      drop(waiting.removeLast(), RestoreLoss.RECLAIMED); // Blocks that come need room.
    }
    RegionReader.Found next = waiting.pollFirst();
    if (next != null) {
      restore(next);
    }
    if (waiting.isEmpty()) {
      end();
    }
  }

  private void end() {
    ended = true;
    identities.endRestoring();
    progress.end();
    SafeLog.info(LOG, "{}: " + progress.read(), medium);
  }

  /**
   * Finds the regions that can be restored, unless the cache is closed before. If it finds no
   * memory, it can be done again: the log begins at the end, when all else is known.
   */
  private void look() {
    List<RegionReader.Found> complete = new ArrayList<>();
    BitSet blanks = new BitSet();
    Map<RestoreLoss, Long> lost = new EnumMap<>(RestoreLoss.class);
    RegionReader.Judge judge = new RegionReader.Judge(previous);
    long newest = previous.generationLimit() - 1;
    RegionReader.@Nullable Found[] seen = lookAtAll();
    if (gate.isClosed()) {
      return; // Perhaps not at all of them.
    }
    for (RegionReader.Found found : seen) {
      if (found == null) {
        lost.merge(RestoreLoss.UNREADABLE, 1L, Long::sum);
        continue;
      }
      newest = Math.max(newest, found.generation());
      if (found.generation() >= 0) {
        allocator.putHeader(found.region(), found.generation());
      }
      RestoreLoss loss = judge.loss(found);
      if (loss == null) {
        complete.add(found);
      } else {
        lost.merge(loss, 1L, Long::sum);
        blanks.set(found.region(), loss == RestoreLoss.BLANK);
      }
    }
    complete.sort(Comparator.comparingLong(RegionReader.Found::generation).reversed());
    complete.forEach(found -> allocator.adopt(found.region(), found.generation()));
    waiting = new ArrayDeque<>(complete);
    allocator.begin(newest + 1, blanks);
    lost.forEach(progress::lose);
  }

  /** Returns what was found of each region, nulls for those that could not be read. */
  private RegionReader.@Nullable Found[] lookAtAll() {
    RegionReader.@Nullable Found[] seen = new RegionReader.@Nullable Found[allocator.regions()];
    AtomicInteger next = new AtomicInteger();
    int helpers = Math.min(lookers, seen.length / REGIONS_PER_LOOKER) - 1;
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < helpers; i++) {
      Thread helper =
          DaemonThread.of("nvcache-restore-" + i, () -> look(readers.get(), next, seen));
      try {
        helper.start();
      } catch (OutOfMemoryError noMoreThreads) {
        break; // The others look at its share.
      }
      started.add(helper);
    }
    try {
      look(reader, next, seen);
    } finally {
      started.forEach(helper -> Waiting.join(helper, Long.MAX_VALUE));
    }
    return seen;
  }

  private void look(RegionReader by, AtomicInteger next, RegionReader.@Nullable Found[] seen) {
    int region = next.getAndIncrement();
    while (region < seen.length && !gate.isClosed()) {
      try {
        seen[region] = by.look(region);
      } catch (IOException | RuntimeException failure) {
        seen[region] = null;
      }
      region = next.getAndIncrement();
    }
  }

  private void drop(RegionReader.Found found, RestoreLoss why) {
    allocator.free(found.region());
    progress.lose(why, 1);
  }

  private void restore(RegionReader.Found found) {
    RegionFooter footer;
    try {
      footer = reader.readFooter(found);
    } catch (IOException | RuntimeException failure) {
      drop(found, RestoreLoss.UNREADABLE);
      return;
    }
    if (footer == null) {
      drop(found, RestoreLoss.DAMAGED);
      return;
    }
    Region region = new Region(footer);
    for (int from = 0; from < footer.blocks(); from += BLOCKS_AT_ONCE) {
      int stripe = gate.begin();
      try {
        if (gate.isClosed()) {
          return;
        }
        region.restore(from, Math.min(footer.blocks(), from + BLOCKS_AT_ONCE), stripe);
      } finally {
        gate.end(stripe);
      }
    }
    progress.restored(region.blocks, region.bytes, region.lost);
  }

  /** A region that is restored some blocks at a time. */
  private final class Region {
    /** In place of a file's number that was not asked for yet. */
    private static final int UNASKED = -2;

    final RegionFooter footer;
    final Map<RestoreLoss, Long> lost = new EnumMap<>(RestoreLoss.class);
    long blocks;
    long bytes;

    /**
     * By the footer's files: the number, which is counted once more than there are blocks, so that
     * it stays the file's while blocks are entered under it.
     */
    private final int[] numbers;

    private final int[] segments;

    /** Of the blocks that are entered at once. */
    private final long[] hashes = new long[BLOCKS_AT_ONCE];

    Region(RegionFooter footer) {
      this.footer = footer;
      this.numbers = new int[footer.files().size()];
      this.segments = new int[numbers.length];
    }

    void restore(int from, int to, int stripe) {
      long blocksBefore = blocks;
      long bytesBefore = bytes;
      synchronized (identities) {
        Arrays.fill(numbers, UNASKED);
        for (int block = from; block < to; block++) {
          hashes[block - from] = hash(block);
        }
        touched += index.touch(hashes, to - from);
        for (int block = from; block < to; block++) {
          RestoreLoss loss = enter(block, hashes[block - from]);
          if (loss == null) {
            blocks++;
            bytes += footer.lengthBytes(block);
          } else {
            lost.merge(loss, 1L, Long::sum);
          }
        }
        for (int number : numbers) {
          if (number > FileTable.NONE) {
            files.release(number);
          }
        }
      }
      counters.add(stripe, Counter.RESTORED, blocks - blocksBefore);
      counters.add(stripe, Counter.RESTORED_BYTES, bytes - bytesBefore);
    }

    /** Returns what a block is found by, if its file has a number. */
    private long hash(int block) {
      long offset = footer.offset(block);
      int file = footer.file(block);
      if (numbers[file] == UNASKED) {
        segments[file] = BucketLayout.segment(offset);
        numbers[file] = number(footer.files().get(file), segments[file]);
      }
      return index.hash(BucketLayout.key(Math.max(numbers[file], 0), offset));
    }

    /** Enters one block; returns why it was not, or null. */
    private @Nullable RestoreLoss enter(int block, long hash) {
      int lengthBytes = footer.lengthBytes(block);
      if (lengthBytes > allocator.maxBlockBytes()) {
        return RestoreLoss.TOO_LARGE;
      }
      int file = footer.file(block);
      int number = numbers[file];
      if (number == FileIdentities.STOPPED) {
        return RestoreLoss.INVALIDATED;
      }
      if (number == FileTable.NONE
          || segments[file] != BucketLayout.segment(footer.offset(block))
          || !files.count(number)) {
        return RestoreLoss.NO_SLOT;
      }
      long location = allocator.locationOf(footer.granule(block), lengthBytes);
      int slack = allocator.slotBytes(location) - lengthBytes;
      int slot = index.insertHash(hash, location, slack, 0, listener.withMark(footer.mark(block)));
      if (slot < 0) {
        files.release(number);
        return slot == BlockIndex.DUPLICATE ? RestoreLoss.DUPLICATE : RestoreLoss.NO_SLOT;
      }
      allocator.restored(lengthBytes);
      return null;
    }

    private int number(RegionFooter.ListedFile file, int segment) {
      Long revokedUpTo = revoked.get(file.identity());
      boolean isRevoked = revokedUpTo != null && footer.generation() <= revokedUpTo;
      return isRevoked
          ? FileIdentities.STOPPED
          : identities.number(file.identity(), segment, file.number());
    }
  }
}
