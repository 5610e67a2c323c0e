// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.FileIdentity;
import io.nvcache.background.SafeLog;
import io.nvcache.control.RestoreLoss;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileIdentities;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.remove.RestoredSlots;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.DurableRegions;
import io.nvcache.internal.space.RegionAllocator;
import io.nvcache.internal.space.RegionFooter;
import io.nvcache.internal.space.Superblock;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  private final BlockIndex index;
  private final FileTable files;
  private final RegionAllocator allocator;
  private final FileIdentities identities;
  private final DurableRegions durable;
  private final Superblock previous;
  private final RestoredSlots listener;
  private final CallGate gate;
  private final StripedCounters counters;
  private final RestoreProgress progress;
  private final String medium;
  private final Map<FileIdentity, Long> revoked = new HashMap<>();

  /** Of the regions that are yet to be restored, the newest first. */
  private final Deque<DurableRegions.Found> waiting = new ArrayDeque<>();

  private boolean looked;
  private volatile boolean ended;

  public RegionRestore(
      BlockTables tables,
      RegionAllocator allocator,
      FileIdentities identities,
      DurableRegions durable,
      Superblock previous,
      RestoredSlots listener,
      CallGate gate,
      StripedCounters counters,
      RestoreProgress progress) {
    this.index = tables.index();
    this.files = tables.files();
    this.allocator = allocator;
    this.identities = identities;
    this.durable = durable;
    this.previous = previous;
    this.listener = listener;
    this.gate = gate;
    this.counters = counters;
    this.progress = progress;
    this.medium = tables.space().medium().describe();
    previous.revoked().forEach(file -> revoked.put(file.identity(), file.generation()));
    allocator.hold();
    identities.beginRestoring(previous.nextFileNumber());
    progress.begin(allocator.regions());
  }

  /** Returns whether something is left that can be done. */
  boolean isActive() {
    return !ended && !gate.isClosed();
  }

  /** Returns whether it is known which regions are free, so that the log has begun. */
  boolean hasLooked() {
    return looked;
  }

  /** Deals with the next region, or first looks at all of them. */
  void step() {
    if (!isActive()) {
      return;
    }
    if (!looked) {
      looked = look();
      return;
    }
    if (allocator.wantedRegions() > 0 && !waiting.isEmpty()) {
      drop(waiting.removeLast(), RestoreLoss.RECLAIMED); // Blocks that come need room.
    }
    DurableRegions.Found next = waiting.pollFirst();
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

  /** Finds the regions that can be restored; false if the cache was closed before. */
  private boolean look() {
    List<DurableRegions.Found> complete = new ArrayList<>();
    Set<Integer> free = new HashSet<>(previous.freeRegions());
    long newest = previous.generationLimit() - 1;
    for (int region = 0; region < allocator.regions(); region++) {
      if (gate.isClosed()) {
        return false;
      }
      try {
        DurableRegions.Found found = durable.look(region);
        newest = Math.max(newest, found.generation());
        RestoreLoss loss = loss(found, free);
        if (loss == null) {
          complete.add(found);
        } else {
          progress.lose(loss);
        }
      } catch (IOException | RuntimeException failure) {
        progress.lose(RestoreLoss.UNREADABLE);
      }
    }
    complete.sort(Comparator.comparingLong(DurableRegions.Found::generation).reversed());
    complete.forEach(found -> allocator.adopt(found.region(), found.generation()));
    waiting.addAll(complete);
    allocator.begin(newest + 1);
    return true;
  }

  private @Nullable RestoreLoss loss(DurableRegions.Found found, Set<Integer> free) {
    if (found.loss() != null) {
      return found.loss();
    }
    if (found.generation() >= previous.generationLimit()) {
      return RestoreLoss.DAMAGED; // The superblock is older than what it speaks of.
    }
    if (found.generation() < previous.floor()) {
      return RestoreLoss.INVALIDATED;
    }
    boolean wasFree =
        free.contains(found.region()) && found.generation() <= previous.headGeneration();
    return wasFree ? RestoreLoss.UNFINISHED : null;
  }

  private void drop(DurableRegions.Found found, RestoreLoss why) {
    allocator.free(found.region());
    progress.lose(why);
  }

  private void restore(DurableRegions.Found found) {
    RegionFooter footer;
    try {
      footer = durable.readFooter(found);
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
          RestoreLoss loss = enter(block);
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

    /** Enters one block; returns why it was not, or null. */
    private @Nullable RestoreLoss enter(int block) {
      int lengthBytes = footer.lengthBytes(block);
      if (lengthBytes > allocator.maxBlockBytes()) {
        return RestoreLoss.TOO_LARGE;
      }
      long offset = footer.offset(block);
      int file = footer.file(block);
      if (numbers[file] == UNASKED) {
        segments[file] = BucketLayout.segment(offset);
        numbers[file] = number(footer.files().get(file), segments[file]);
      }
      int number = numbers[file];
      if (number == FileIdentities.STOPPED) {
        return RestoreLoss.INVALIDATED;
      }
      if (number == FileTable.NONE
          || segments[file] != BucketLayout.segment(offset)
          || !files.count(number)) {
        return RestoreLoss.NO_SLOT;
      }
      long hash = index.hash(BucketLayout.key(number, offset));
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
