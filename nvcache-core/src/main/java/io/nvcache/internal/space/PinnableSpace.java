// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import java.nio.ByteBuffer;

/** Space whose blocks can be pinned where they lie. */
public interface PinnableSpace {
  /** The address of a location whose bytes lie in no memory. */
  long NO_ADDRESS = 0;

  /**
   * Keeps the place at a location from being handed out again until {@link #unpin}. Means something
   * only if the block's entry was unchanged afterwards.
   *
   * @return false if it is free, is none, or has as many pins as can be counted
   */
  boolean pin(long location);

  /** Ends a pin. */
  void unpin(long location);

  /** Returns the memory address of a location, or {@link #NO_ADDRESS}. */
  long address(long location);

  /**
   * Compares a pinned block with its checksum, if blocks have any.
   *
   * @return 0 or more if it is what was written; else why not, as {@link BlockSpace#copy} says it
   */
  int verify(int sum, long location, int lengthBytes);

  /** Copies all of a pinned block, which must have this checksum, if blocks have any. */
  int copyPinned(int sum, long location, int lengthBytes, ByteBuffer dst);
}
