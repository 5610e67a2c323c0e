// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import java.nio.ByteBuffer;

/**
 * The store that places blocks: the door behind which a cache places them in slots or in regions.
 * An offer calls {@link #allocate}, {@link #put} and, whatever became of the block, {@link
 * #committed}; a block that was not published is {@linkplain BlockSpace#release released} before.
 */
public interface BlockStore {
  /** What {@link #allocate} returns when there is no room. */
  long NO_SPACE = -1;

  /** What {@link #allocate} returns when there is room, but no buffer for what is written there. */
  long BUSY = -2;

  /** No slot of the index to look for a victim near to. */
  int NO_HINT = -1;

  /**
   * Returns the location of a free place, {@link #NO_SPACE} or {@link #BUSY}. Blocks may be evicted
   * for it.
   *
   * @param hintSlot a slot of the index to look for a first victim near to, or {@link #NO_HINT}
   */
  long allocate(int lengthBytes, int hintSlot, int stripe);

  /**
   * Puts a block where it was allocated.
   *
   * @param hash what the index will find it by
   * @param sum of its bytes, if the index keeps it
   * @return false if it could not be written, which is counted
   */
  boolean put(
      long location,
      long hash,
      int sum,
      ByteBuffer block,
      int position,
      int lengthBytes,
      int stripe);

  /** A block that was allocated is in the index now, or never will be. */
  default void committed(long location, int lengthBytes) {}

  /** Returns what the device writes for a block of this length. */
  int deviceBytes(int lengthBytes);

  /** Returns how many threads may put blocks at once. */
  int maxConcurrentWriters();

  /** Returns whether {@link #maintain} could make room that blocks did not find. */
  boolean wantsRoom();

  /** Does, in a round of the background work, what there is to do now. */
  void maintain();
}
