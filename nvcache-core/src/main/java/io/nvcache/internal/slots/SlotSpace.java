// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.PinnableSpace;
import io.nvcache.internal.space.ScratchBuffers;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferSum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Blocks in slots of the medium, which are given to other blocks one by one. Reads them, and
 * compares them with their checksums, if there are any.
 *
 * <p>What is compared is always a copy in DRAM: the bytes that the caller gets, or, where only a
 * part or a pin is wanted, a copy made for this. The CRC instructions of a JVM must not be led over
 * a mapping, since a fault inside them ends the process, where one inside a copy is an error.
 *
 * <p>A pin, which holds a reference of the slot, reads the checksum before making sure that the
 * entry is unchanged, and passes it in: the slot stays the block's, but the entry's place in the
 * index, and the checksum with it, may become another's at any time.
 */
public final class SlotSpace implements BlockSpace, PinnableSpace {
  private final BlockIndex index;
  private final MediumSpace space;
  private final Allocator allocator;
  private final LocationCodec locations;
  private final Quarantine quarantine;
  private final MediumGuard guard;
  private final ScratchBuffers scratch;
  private final boolean summed;
  private final boolean readsWhole;

  public SlotSpace(
      BlockIndex index,
      MediumSpace space,
      Allocator allocator,
      MediumGuard guard,
      ScratchBuffers scratch) {
    this.index = index;
    this.space = space;
    this.allocator = allocator;
    this.locations = allocator.locations();
    this.quarantine = new Quarantine(allocator);
    this.guard = guard;
    this.scratch = scratch;
    this.summed = index.keepsSums();
    this.readsWhole = summed || space.medium().readsWholeBlocks();
  }

  @Override
  public boolean isPlainMemory() {
    return !readsWhole && space.isPlainMemory();
  }

  @Override
  public int copy(
      int slot, long location, int lengthBytes, int from, ByteBuffer dst, int position, int bytes) {
    if (bytes == lengthBytes) {
      return copyWhole(slot, location, lengthBytes, dst, position);
    }
    return readsWhole
        ? copyPart(slot, location, lengthBytes, from, dst, position, bytes)
        : read(location, from, dst, position, bytes);
  }

  private int copyPart(
      int slot, long location, int lengthBytes, int from, ByteBuffer dst, int position, int bytes) {
    if (lengthBytes > locations.maxBlockBytes()) {
      return FAILED; // No block has this length: the entry was torn.
    }
    AlignedBuffer lent = scratch.take(lengthBytes);
    if (lent == null) {
      return NO_MEMORY;
    }
    try {
      ByteBuffer whole = lent.first(lengthBytes);
      int copied = copyWhole(slot, location, lengthBytes, whole, 0);
      if (copied < 0) {
        return copied;
      }
      dst.put(position, whole, from, bytes);
      return bytes;
    } finally {
      scratch.giveBack(lent);
    }
  }

  private int copyWhole(int slot, long location, int lengthBytes, ByteBuffer dst, int position) {
    return copyPinned(summed ? index.sum(slot) : 0, location, lengthBytes, dst, position);
  }

  @Override
  public int verify(int sum, long location, int lengthBytes) {
    if (!summed) {
      return lengthBytes;
    }
    if (lengthBytes > locations.maxBlockBytes()) {
      return FAILED;
    }
    AlignedBuffer lent = scratch.take(lengthBytes);
    if (lent == null) {
      return NO_MEMORY;
    }
    try {
      return copyPinned(sum, location, lengthBytes, lent.first(lengthBytes), 0);
    } finally {
      scratch.giveBack(lent);
    }
  }

  @Override
  public int copyPinned(int sum, long location, int lengthBytes, ByteBuffer dst) {
    return copyPinned(sum, location, lengthBytes, dst, dst.position());
  }

  private int copyPinned(int sum, long location, int lengthBytes, ByteBuffer dst, int position) {
    int copied = read(location, 0, dst, position, lengthBytes);
    return copied >= 0 && summed && BufferSum.of(dst, position, lengthBytes) != sum
        ? CORRUPT
        : copied;
  }

  private int read(long location, int from, ByteBuffer dst, int position, int bytes) {
    ByteBuffer unmoved = space.unmovedForRead(location, dst, position);
    try {
      space.read(location, from, unmoved, position, bytes);
      return bytes;
    } catch (NoDirectMemoryException noBuffer) {
      return NO_MEMORY;
    } catch (IOException | RuntimeException | Error failure) {
      guard.remember(failure);
      return FAILED;
    }
  }

  @Override
  public boolean pin(long location) {
    return allocator.pin(location);
  }

  @Override
  public void unpin(long location) {
    allocator.unpin(location);
  }

  @Override
  public long address(long location) {
    return space.address(location);
  }

  @Override
  public boolean isTaken(long location) {
    return allocator.isTaken(location);
  }

  @Override
  public boolean isUnpinned(long location) {
    return allocator.isUnpinned(location);
  }

  @Override
  public int spaceBytes(long location, int lengthBytes) {
    return locations.slotBytes(location);
  }

  @Override
  public void release(long location, int lengthBytes) {
    allocator.release(location);
  }

  @Override
  public void quarantine(long location, int lengthBytes) {
    quarantine.take(location);
  }

  @Override
  public boolean keepsUnreadable() {
    return true;
  }

  @Override
  public long usedBytes() {
    return allocator.usedBytes();
  }

  @Override
  public long metadataBytes() {
    return allocator.metadataBytes();
  }

  @Override
  public LongSupplier poisonFreed() {
    Medium medium = space.medium();
    PoisonedSpace poison = new PoisonedSpace(medium, allocator.locations());
    allocator.observe(poison);
    return poison::faults;
  }
}
