// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

/** Ends the pins that it made. */
interface PinOwner {
  /** Returns whether the calling thread is the one that pins on this stripe. */
  boolean owns(int stripe);

  /** Ends a pin. Touches no memory of the medium, so it needs no gate. */
  void unpin(PinnedMemory memory, long location, int length, int stripe);
}
