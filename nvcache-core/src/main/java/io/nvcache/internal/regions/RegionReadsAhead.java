// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.space.ReadsAhead;
import io.nvcache.medium.ReadBatch;
import io.nvcache.memory.LendingPool;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks of regions with one call of the medium.
 *
 * <p>Each is a {@link BlockRead}, named before the medium is asked by its place, its hash and the
 * generation of its region. A lookup that finds an entry of that name afterwards may copy what was
 * read: a place has other bytes in a later generation only, so these are the entry's.
 *
 * <p>Other threads that want one of the blocks at the same time join its read. A block that another
 * thread is reading is not planned, but left to its lookup, which joins: so a thread that waits for
 * another's read has none under way.
 */
final class RegionReadsAhead implements ReadsAhead {
  static final int MOST_BLOCKS = 32;

  /** The bytes of all blocks of a batch, with those that are read around them. */
  static final int MOST_BYTES = 1 << 20;

  /** One part of the memory for reads is for batches: lookups must not miss for want of it. */
  private static final int PARTS_OF_MEMORY = 4;

  private static final ByteBuffer NOWHERE = ByteBuffer.allocate(0);

  private final RegionReads blocks;
  private final ReadBatch batch = new ReadBatch(MOST_BLOCKS);
  private final @Nullable BlockRead[] reads = new BlockRead[MOST_BLOCKS];
  private final boolean[] shown = new boolean[MOST_BLOCKS];
  private final long[] locations = new long[MOST_BLOCKS];
  private final long[] hashes = new long[MOST_BLOCKS];
  private final long[] generations = new long[MOST_BLOCKS];
  private final int[] lengths = new int[MOST_BLOCKS];
  private final int[] slots = new int[MOST_BLOCKS];
  private final long[] sums = new long[MOST_BLOCKS];
  private int bytes;
  private ByteBuffer dst = NOWHERE;

  RegionReadsAhead(RegionReads blocks) {
    this.blocks = blocks;
  }

  /** Fills a pool with as many as the memory for reads allows at once. */
  static void fill(LendingPool<RegionReadsAhead> pool, long readBytes) {
    long most = Math.max(1, readBytes / PARTS_OF_MEMORY / MOST_BYTES);
    for (int i = 0; i < Math.min(LendingPool.MOST, most); i++) {
      pool.giveBack(pool.take());
    }
  }

  @Override
  public void wantIn(ByteBuffer buffer) {
    dst = buffer;
  }

  @Override
  public ByteBuffer wantedIn() {
    return dst;
  }

  @Override
  public boolean isFull() {
    return batch.size() == MOST_BLOCKS;
  }

  @Override
  public void plan(int slot, long location, int lengthBytes) {
    if (isFull() || !blocks.isOnMedium(location)) {
      return;
    }
    int length = blocks.bytesAround(location, lengthBytes);
    long hash = blocks.hashIn(slot);
    long generation = blocks.generation(location);
    if (length > MOST_BYTES - bytes
        || find(location, hash, generation, lengthBytes) >= 0
        || blocks.isRead(location, hash, generation, lengthBytes)) {
      return;
    }
    BlockRead read = blocks.takeIfLeft(lengthBytes);
    if (read != null) {
      read.begin(location, hash, generation, lengthBytes);
      int number = batch.add(blocks.offsetAround(location), read.block().first(length), length);
      reads[number] = read;
      locations[number] = location;
      hashes[number] = hash;
      generations[number] = generation;
      lengths[number] = lengthBytes;
      slots[number] = slot;
      sums[number] = blocks.sum(slot, location, hash, lengthBytes);
      bytes += length;
      shown[number] = blocks.show(location, read);
    }
  }

  private int find(long location, long hash, long generation, int lengthBytes) {
    for (int i = 0; i < batch.size(); i++) {
      if (locations[i] == location
          && hashes[i] == hash
          && generations[i] == generation
          && lengths[i] == lengthBytes) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void read() {
    if (batch.size() > 0) {
      try {
        blocks.readAll(batch);
      } catch (RuntimeException | InternalError notAll) {
        // Of the medium; the lookups read the rest one by one, and count what comes of it.
      } finally {
        for (int i = 0; i < batch.size(); i++) {
          conclude(i);
        }
      }
    }
  }

  /** Opens a block, if it was read, and shows its read no longer. */
  private void conclude(int number) {
    BlockRead read = read(number);
    try {
      if (batch.isRead(number)) {
        long sum = sums[number];
        if (blocks.open(read, locations[number], hashes[number], sum, lengths[number])) {
          blocks.held(slots[number], locations[number], hashes[number], sum);
        }
      } else {
        read.spoil(); // A medium that threw may still be writing to the buffer.
      }
    } catch (RuntimeException unreadable) {
      // Its lookup reads it alone, and counts what comes of it.
    } finally {
      hide(number);
      read.fail();
    }
  }

  private void hide(int number) {
    if (shown[number]) {
      shown[number] = false;
      blocks.hide(locations[number]);
    }
  }

  private BlockRead read(int number) {
    return Objects.requireNonNull(reads[number]);
  }

  @Override
  public boolean copy(int slot, long location, int lengthBytes, ByteBuffer to, int position) {
    long hash = blocks.hashIn(slot);
    int number = find(location, hash, blocks.generation(location), lengthBytes);
    if (number < 0 || !read(number).await()) { // No read is under way.
      return false;
    }
    read(number).copyOut(0, to, position, lengthBytes);
    return true;
  }

  @Override
  public void end() {
    for (int i = 0; i < batch.size(); i++) {
      BlockRead read = read(i);
      hide(i);
      read.fail();
      blocks.leave(read);
    }
    Arrays.fill(reads, 0, batch.size(), null);
    batch.clear();
    bytes = 0;
    dst = NOWHERE;
    blocks.giveBack(this);
  }
}
