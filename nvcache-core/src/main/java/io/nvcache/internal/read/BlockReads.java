// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.RegionSpace;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.BufferSum;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies blocks out of the space, and compares them with their checksums, if there are any.
 *
 * <p>What is compared is always a copy in DRAM: the bytes that the caller gets, or, where only a
 * part or a pin is wanted, a copy made for this. The CRC instructions of a JVM must not be led over
 * a mapping, since a fault inside them ends the process, where one inside a copy is an error.
 *
 * <p>A failure means something only if the entry still stands afterwards: the bytes of an entry
 * that changed since are another block's. A pin, which holds a reference of the space, reads the
 * checksum before making sure that the entry stands, and passes it in: the space stays the block's,
 * but the slot of the index, and the checksum with it, may become another's at any time.
 */
public final class BlockReads {
  /** In place of the byte to copy from: all of the block or nothing. */
  public static final int WHOLE = -1;

  // Beside the number of bytes copied, why nothing was.
  /** The whole block finds no room. */
  static final int TOO_LONG = -2;

  /** The block ends before the byte to copy from. */
  static final int BEYOND_END = -3;

  /** The medium failed. */
  static final int FAILED = -4;

  /** The bytes are not those that were written. */
  static final int CORRUPT = -5;

  /** There was no memory to read into. */
  static final int NO_MEMORY = -6;

  private final MediumSpace space;
  private final @Nullable RegionSpace regions;
  private final BlockIndex index;
  private final MediumGuard guard;
  private final boolean summed;
  private final boolean readsWhole;

  /** Whether reading is a copy of memory that can't fail. */
  private final boolean plain;

  private final int maxBlockBytes;
  private final ScratchBuffers scratch;

  public BlockReads(BlockTables tables, MediumGuard guard, ScratchBuffers scratch) {
    this.space = tables.space();
    this.regions = tables.regions();
    this.index = tables.index();
    this.guard = guard;
    this.summed = index.keepsSums();
    this.readsWhole = summed || space.medium().readsWholeBlocks();
    this.maxBlockBytes = tables.allocator().maxBlockBytes();
    this.plain = regions == null && !readsWhole && space.isPlainMemory();
    this.scratch = scratch;
  }

  /**
   * Copies the whole block, or what {@code dst} has room for from a byte of it on, to {@code dst}
   * at its position, which stays where it is.
   *
   * @return how much, or why nothing
   */
  int copy(int slot, long location, int lengthBytes, int from, ByteBuffer dst) {
    // Taken once: a position that another thread moves must not lead the copy elsewhere.
    int position = dst.position();
    int room = dst.limit() - position;
    int first = 0;
    int bytes = lengthBytes;
    if (from == WHOLE) {
      if (lengthBytes > room) {
        return TOO_LONG;
      }
    } else {
      if (from > lengthBytes) {
        return BEYOND_END;
      }
      first = from;
      bytes = Math.max(0, Math.min(room, lengthBytes - from));
    }
    if (plain) {
      space.copyOut(location, first, dst, position, bytes);
      return bytes;
    }
    if (regions != null) {
      return copyAppended(regions, slot, location, lengthBytes, first, dst, position, bytes);
    }
    return from == WHOLE
        ? copyWhole(slot, location, lengthBytes, dst, position)
        : copyPart(slot, location, lengthBytes, from, dst, position, bytes);
  }

  /** The hash may be read amidst a change, as all of the entry: then the result means nothing. */
  private int copyAppended(
      RegionSpace log,
      int slot,
      long location,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int bytes) {
    try {
      long hash = index.hashIn(slot);
      if (log.copyBuffered(location, hash, lengthBytes, from, dst, position, bytes)) {
        return bytes;
      }
      return log.read(location, hash, lengthBytes, from, dst, position, bytes) ? bytes : CORRUPT;
    } catch (NoDirectMemoryException noBuffer) {
      return NO_MEMORY;
    } catch (IOException | RuntimeException | Error failure) {
      guard.remember(failure);
      return FAILED;
    }
  }

  private int copyPart(
      int slot, long location, int lengthBytes, int from, ByteBuffer dst, int position, int bytes) {
    if (!readsWhole) {
      return read(location, from, dst, position, bytes);
    }
    if (lengthBytes > maxBlockBytes) {
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

  /** Returns whether a retained block has this checksum; 0 or more if so, else why not. */
  int verifyRetained(int sum, long location, int lengthBytes) {
    if (!summed) {
      return lengthBytes;
    }
    if (lengthBytes > maxBlockBytes) {
      return FAILED;
    }
    AlignedBuffer lent = scratch.take(lengthBytes);
    if (lent == null) {
      return NO_MEMORY;
    }
    try {
      return copyRetained(sum, location, lengthBytes, lent.first(lengthBytes), 0);
    } finally {
      scratch.giveBack(lent);
    }
  }

  /** Copies all of a retained block, which must have this checksum, if blocks have any. */
  int copyRetained(int sum, long location, int lengthBytes, ByteBuffer dst) {
    return copyRetained(sum, location, lengthBytes, dst, dst.position());
  }

  private int copyRetained(int sum, long location, int lengthBytes, ByteBuffer dst, int position) {
    int copied = read(location, 0, dst, position, lengthBytes);
    return copied >= 0 && summed && BufferSum.of(dst, position, lengthBytes) != sum
        ? CORRUPT
        : copied;
  }

  private int copyWhole(int slot, long location, int lengthBytes, ByteBuffer dst, int position) {
    return copyRetained(summed ? index.sum(slot) : 0, location, lengthBytes, dst, position);
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

  /** Returns the longest that a block can be. */
  int maxBlockBytes() {
    return maxBlockBytes;
  }

  /**
   * Returns the exception for a caller who asked for what can't be; null if it was no fault of
   * theirs.
   *
   * @param room what the caller's buffer had room for
   */
  static @Nullable RuntimeException refusal(int copied, int from, int lengthBytes, int room) {
    assert copied < BlockCache.MISS : copied;
    return switch (copied) {
      case TOO_LONG -> BufferRefusals.tooSmall(lengthBytes, room);
      case BEYOND_END ->
          new IndexOutOfBoundsException(
              "from is " + from + "; the block has " + lengthBytes + " bytes");
      default -> null;
    };
  }
}
