// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The places of blocks, in slots or in regions, as lookups and removals know them. How blocks come
 * there is the affair of a {@link BlockStore}.
 */
public interface BlockSpace {
  // Instead of the number of bytes copied, why nothing was.
  /** The medium failed. */
  int FAILED = -4;

  /** The bytes are not those that were written. */
  int CORRUPT = -5;

  /** Memory to read into was lacking. */
  int NO_MEMORY = -6;

  /** One of several drives failed, or is lost; the medium as a whole serves. */
  int DRIVE_FAILED = -7;

  /**
   * Copies bytes of a block. The entry may be read during a change: then the result means nothing,
   * and neither do the bytes.
   *
   * @param slot of the index, which has the entry
   * @param from the block's byte to begin with
   * @return {@code bytes}, or why nothing was copied
   */
  int copy(
      int slot, long location, int lengthBytes, int from, ByteBuffer dst, int position, int bytes);

  /**
   * Returns what reads several blocks with one wait, the calling thread's own until it {@linkplain
   * ReadsAhead#end ends} it; null if there is nothing better than one after another.
   */
  default @Nullable ReadsAhead readAhead() {
    return null;
  }

  /** Returns how many blocks that reads with one wait; 1 if there is nothing. */
  default int blocksAtOnce() {
    return 1;
  }

  /** Returns whether copying is {@link MediumSpace#copyOut}, which can't fail. */
  boolean isPlainMemory();

  /** Returns whether a block is known to have the place at a location. */
  boolean isTaken(long location);

  /** Returns whether no pin holds the place at a location. */
  boolean isUnpinned(long location);

  /** Returns what a block of this length at this location takes of the medium. */
  int spaceBytes(long location, int lengthBytes);

  /** Gives the place of a block back whose entry is gone. */
  void release(long location, int lengthBytes);

  /** Gives the place of a block back whose bytes went bad: it may not be used again soon. */
  void quarantine(long location, int lengthBytes);

  /**
   * Returns whether the entry of a block stays that could not be read: the next read of its place
   * may succeed, and a block that is evicted makes room for another at once.
   */
  boolean keepsUnreadable();

  /** Returns the bytes of the medium that blocks take. */
  long usedBytes();

  /** Returns the bytes of DRAM for all this, buffers included. */
  long metadataBytes();

  /**
   * Has space overwritten as it is freed, to see who reads or writes it afterwards. To be called
   * before the space is shared.
   *
   * @return counts the places that were written to while they were free
   */
  LongSupplier poisonFreed();
}
