// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.MemoryOwner;

/** The memory that a pin reads: the medium's own, or a copy of the block. */
public interface PinnedMemory extends MemoryOwner {
  /** Notes that from now on a holder of this may read the memory unseen. */
  void allowUnseenReads();

  /** Returns the medium that stays open until the pin has ended. */
  MediumHandle medium();
}
