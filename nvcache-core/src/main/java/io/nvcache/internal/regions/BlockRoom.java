// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

/**
 * The room of blocks in the log: where they may begin, and what they take; see {@link
 * RegionLayout}.
 *
 * @param granuleBytes of the medium
 * @param readsPages whether blocks that fill pages have no header
 */
record BlockRoom(int granuleBytes, boolean readsPages) {
  /** Returns where a block is put if this is the first place that is free. */
  long placeOf(long free, int lengthBytes) {
    return readsPages ? RegionLayout.placeOf(free, lengthBytes) : free;
  }

  /** Returns whether a block that begins here has no header. */
  boolean isPages(long at, int lengthBytes) {
    return readsPages && RegionLayout.fillsPages(at, lengthBytes);
  }

  /** Returns what a block that begins here takes, with its header if it has one. */
  int bytes(long at, int lengthBytes) {
    return readsPages
        ? RegionLayout.leastSpaceBytes(at, lengthBytes, granuleBytes)
        : RegionLayout.spaceBytes(lengthBytes, granuleBytes);
  }

  /** Returns what a block takes that has a header. */
  int mostBytes(int lengthBytes) {
    return RegionLayout.spaceBytes(lengthBytes, granuleBytes);
  }
}
