// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import java.nio.ByteBuffer;

/**
 * Blocks that are read together, before the lookups that want them: planned one by one, read with
 * one wait, then copied by the lookups. For one thread at a time.
 *
 * <p>A block that was read answers for the very entry that it was planned for, and for no other.
 * One that was not read, for whatever reason, is left to its lookup, which reads it alone; so a
 * failure here is nothing to count.
 */
public interface ReadsAhead {
  /** Sets the buffer that the next block is wanted in. */
  void wantIn(ByteBuffer dst);

  /** Returns that buffer. */
  ByteBuffer wantedIn();

  /** Returns whether there is no room for another block. */
  boolean isFull();

  /**
   * Plans to read a block, unless it need not be read, will be already, or finds no room.
   *
   * @param slot of the index, which had the entry when its location was read
   */
  void plan(int slot, long location, int lengthBytes);

  /** Reads what was planned. */
  void read();

  /**
   * Copies a block that was read.
   *
   * @param slot of the index, which has the entry; it may be changing
   * @return false if it was not read, and nothing was copied
   */
  boolean copy(int slot, long location, int lengthBytes, ByteBuffer dst, int position);

  /** Ends the use of all this, whatever came of it. */
  void end();
}
