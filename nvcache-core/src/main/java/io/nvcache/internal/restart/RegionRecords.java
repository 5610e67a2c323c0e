// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.internal.regions.RegionSpace;
import io.nvcache.internal.space.BlockTables;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes down what is written to a region, and lists it in the region's footer when all of it is on
 * the medium: the blocks that are in the index then, of files that have an identity.
 *
 * <p>Whose a block is, is asked while its entry is unchanged, which is looked at before and after:
 * a file number has one owner as long as an entry with it is in the index, and an entry that is at
 * a block's own place has been there since the block was published, before its piece was written.
 *
 * <p>Used by one thread at a time.
 */
public final class RegionRecords {
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /**
   * For one footer, a second in all: a policy that hangs inside a bucket's lock is not waited for,
   * nor a bucket that an overflow of the stack left locked.
   */
  private static final int MOST_PAUSES = 20_000;

  private final BlockIndex index;
  private final RegionSpace space;
  private final FileIdentities identities;
  private final DurableRegions durable;

  /** The generation of the region that is written now. */
  private long generation = -1;

  // By block.
  private int blocks;
  private long[] hashes = new long[64];
  private long[] locations = new long[64];
  private int[] lengths = new int[64];
  private int[] sums = new int[64];

  /** How far the log was taken down. */
  private long passed;

  /** How often the footer that is made may still wait. */
  private int pauses;

  public RegionRecords(
      BlockTables tables, RegionSpace space, FileIdentities identities, DurableRegions durable) {
    this.index = tables.index();
    this.space = space;
    this.identities = identities;
    this.durable = durable;
  }

  /** Takes down the blocks that begin in the piece that is written next, or in a part of it. */
  void takeDown(int pieceBytes) {
    long end = space.log().flushed() + pieceBytes;
    long its = space.log().flushGeneration();
    if (its != generation) {
      generation = its;
      blocks = 0;
      passed = 0;
    }
    int before = blocks;
    boolean taken = false;
    try {
      passed = space.forEachBlock(its, passed, end, this::add);
      taken = true;
    } finally {
      if (!taken) {
        blocks = before; // The next call takes all of them down.
      }
    }
  }

  private void add(long hash, long location, int lengthBytes, int sum) {
    if (blocks == sums.length) { // The last to grow: memory may have ended between.
      hashes = Arrays.copyOf(hashes, 2 * blocks);
      locations = Arrays.copyOf(locations, 2 * blocks);
      lengths = Arrays.copyOf(lengths, 2 * blocks);
      sums = Arrays.copyOf(sums, 2 * blocks);
    }
    hashes[blocks] = hash;
    locations[blocks] = location;
    lengths[blocks] = lengthBytes;
    sums[blocks++] = sum;
  }

  /** Returns whether a region was begun and has no footer yet. */
  boolean isOpen() {
    return generation >= 0;
  }

  /** Lists them, once the last piece of their region was written. Returns the bytes written. */
  int seal() throws IOException {
    RegionFooter.Builder footer = new RegionFooter.Builder(space.footerRoomBytes(blocks));
    pauses = MOST_PAUSES;
    for (int i = 0; i < blocks; i++) {
      int slot = BlockIndex.slot(find(hashes[i]));
      if (slot < 0 || index.location(slot) != locations[i]) {
        continue; // It has left, or can't be looked up.
      }
      long key = index.keyOf(hashes[i]);
      int number = BucketLayout.fileNumber(key);
      FileIdentities.@Nullable Owner owner = identities.owner(number);
      if (owner != null
          && index.location(slot) == locations[i]
          && index.hashIn(slot) == hashes[i]) {
        long offset = BucketLayout.offset(owner.segment(), key);
        footer.add(
            new RegionFooter.ListedFile(owner.identity(), number),
            offset,
            space.log().locations().granule(locations[i]),
            lengths[i],
            index.marks().get(slot),
            sums[i]);
      }
    }
    long sealed = generation;
    generation = -1;
    return durable.seal(sealed, footer);
  }

  /** Looks a block up, and waits for a writer that the system keeps from its processor. */
  private long find(long hash) {
    long found = index.findHash(hash);
    for (; found == BlockIndex.BUSY && pauses > 0; pauses--) {
      LockSupport.parkNanos(PAUSE_NANOS);
      found = index.findHash(hash);
    }
    return found;
  }
}
