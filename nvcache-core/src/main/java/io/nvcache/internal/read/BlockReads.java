// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.ReadsAhead;
import io.nvcache.memory.BufferRefusals;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Copies blocks, or parts of them, to where callers want them.
 *
 * <p>A failure means something only if the entry is still unchanged afterwards: the bytes of an
 * entry that changed since are another block's.
 */
public final class BlockReads {
  /** Instead of the byte to copy from: all of the block or nothing. */
  public static final int WHOLE = -1;

  // Instead of the number of bytes copied, why nothing was; or what BlockSpace.copy says.
  /** The whole block finds no room. */
  static final int TOO_LONG = -2;

  /** The block ends before the byte to copy from. */
  static final int BEYOND_END = -3;

  private final MediumSpace space;
  private final BlockSpace blocks;
  private final int maxBlockBytes;

  /** Whether reading is a copy of memory that can't fail. */
  private final boolean plain;

  public BlockReads(BlockTables tables) {
    this.space = tables.space();
    this.blocks = tables.blocks();
    this.maxBlockBytes = tables.locations().maxBlockBytes();
    this.plain = blocks.isPlainMemory();
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
    return blocks.copy(slot, location, lengthBytes, first, dst, position, bytes);
  }

  /** Copies the whole block in the same way, from where it was read ahead if it was. */
  int copy(int slot, long location, int lengthBytes, ReadsAhead ahead, ByteBuffer dst) {
    int position = dst.position();
    if (lengthBytes <= dst.limit() - position
        && ahead.copy(slot, location, lengthBytes, dst, position)) {
      return lengthBytes;
    }
    return copy(slot, location, lengthBytes, WHOLE, dst);
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
