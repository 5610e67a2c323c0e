// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.FileIdentity;
import io.nvcache.control.RestoreLoss;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.regions.AppendLog;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Enters the blocks that the footers of an earlier cache list into the index.
 *
 * <p>Used by one thread at a time.
 */
public final class RestoredEntries {
  /** Entries that are made before an invalidation that waits has its turn. */
  static final int AT_ONCE = 256;

  private final BlockIndex index;
  private final FileTable files;
  private final AppendLog log;
  private final LocationCodec locations;
  private final FileIdentities identities;
  private final RestoredSlots listener;
  private final StripedCounters counters;
  private final String medium;
  private final Map<FileIdentity, Long> revoked;

  /** Keeps the reads that it is the sum of from being left out. */
  @SuppressWarnings("UnusedVariable") // Written for its own sake.
  private long touched;

  public RestoredEntries(
      BlockTables tables,
      AppendLog log,
      FileIdentities identities,
      Superblock previous,
      RestoredSlots listener,
      StripedCounters counters) {
    this.index = tables.index();
    this.files = tables.files();
    this.log = log;
    this.locations = log.locations();
    this.identities = identities;
    this.listener = listener;
    this.counters = counters;
    this.medium = tables.space().medium().describe();
    this.revoked = previous.revokedGenerations();
  }

  /** Makes ready for many entries. */
  void begin() {
    index.takePagesAhead();
  }

  /** Returns the medium in words. */
  String medium() {
    return medium;
  }

  /** Returns what enters the blocks of a region. */
  Region of(RegionFooter footer) {
    return new Region(footer);
  }

  /** What is known of a file whose blocks are restored. */
  private enum FileState {
    UNASKED,
    /** It was invalidated, or a block of it. */
    STOPPED,
    /** It has a number, if there is one. */
    ASKED
  }

  /** A region that is restored some blocks at a time. */
  final class Region {
    private final RegionFooter footer;
    private final Map<RestoreLoss, Long> lost = new EnumMap<>(RestoreLoss.class);
    private long blocks;
    private long bytes;

    /**
     * By the footer's files: the number, which is counted once more than there are blocks, so that
     * it stays the file's while blocks are entered under it.
     */
    private final int[] numbers;

    private final FileState[] states;
    private final int[] segments;

    /** Hashes of the blocks that are entered at once. */
    private final long[] hashes = new long[AT_ONCE];

    Region(RegionFooter footer) {
      this.footer = footer;
      this.numbers = new int[footer.files().size()];
      this.states = new FileState[numbers.length];
      this.segments = new int[numbers.length];
    }

    long blocks() {
      return blocks;
    }

    long bytes() {
      return bytes;
    }

    Map<RestoreLoss, Long> lost() {
      return lost;
    }

    /** Enters some blocks, the last one excluded. */
    void restore(int from, int to, int stripe) {
      long blocksBefore = blocks;
      long bytesBefore = bytes;
      identities.undisturbed(() -> enter(from, to));
      counters.add(stripe, Counter.RESTORED, blocks - blocksBefore);
      counters.add(stripe, Counter.RESTORED_BYTES, bytes - bytesBefore);
    }

    private void enter(int from, int to) {
      Arrays.fill(numbers, FileTable.NONE);
      Arrays.fill(states, FileState.UNASKED);
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
        if (number != FileTable.NONE) {
          files.release(number);
        }
      }
    }

    /** Returns what a block is found by, if its file has a number. */
    private long hash(int block) {
      long offset = footer.offset(block);
      int file = footer.file(block);
      if (states[file] == FileState.UNASKED) {
        segments[file] = BucketLayout.segment(offset);
        ask(file);
      }
      return index.hash(BucketLayout.key(numbers[file], offset));
    }

    /** Enters one block; returns why it was not, or null. */
    private @Nullable RestoreLoss enter(int block, long hash) {
      int lengthBytes = footer.lengthBytes(block);
      if (lengthBytes > locations.maxBlockBytes()) {
        return RestoreLoss.TOO_LARGE;
      }
      int file = footer.file(block);
      int number = numbers[file];
      if (states[file] == FileState.STOPPED) {
        return RestoreLoss.INVALIDATED;
      }
      if (number == FileTable.NONE
          || segments[file] != BucketLayout.segment(footer.offset(block))
          || !files.count(number)) {
        return RestoreLoss.NO_SLOT;
      }
      long location = log.locationOf(footer.granule(block), lengthBytes);
      int slack = locations.slotBytes(location) - lengthBytes;
      RestoredSlots marked = listener.withMark(footer.mark(block));
      BlockIndex.Insertion result =
          index.insertHash(hash, location, slack, footer.sum(block), marked);
      if (result != BlockIndex.Insertion.DONE) {
        files.release(number);
        return result == BlockIndex.Insertion.DUPLICATE
            ? RestoreLoss.DUPLICATE
            : RestoreLoss.NO_SLOT;
      }
      log.restored(location, lengthBytes);
      return null;
    }

    /** Asks for the number of a file's segment, unless its blocks are not to be restored. */
    private void ask(int file) {
      RegionFooter.ListedFile listed = footer.files().get(file);
      Long revokedUpTo = revoked.get(listed.identity());
      boolean isRevoked = revokedUpTo != null && footer.generation() <= revokedUpTo;
      if (isRevoked || identities.isStopped(listed.identity())) {
        states[file] = FileState.STOPPED;
        return;
      }
      states[file] = FileState.ASKED;
      numbers[file] = identities.number(listed.identity(), segments[file], listed.number());
    }
  }
}
