// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

/**
 * The names of cached blocks, as 64-bit hashes, by slot. The engine gives admission the block and
 * eviction the slot; both calls of one offer come on the same thread, which carries the name from
 * one to the other.
 */
final class SlotNames {
  private final ThreadLocal<long[]> offered = ThreadLocal.withInitial(() -> new long[1]);
  private final long[] bySlot;

  SlotNames(int slots) {
    this.bySlot = new long[slots];
  }

  /** To be called when a block is judged; returns its name. */
  long offer(long fileId, long offset) {
    long name = name(fileId, offset);
    offered.get()[0] = name;
    return name;
  }

  /** To be called when the block gets its slot; returns its name. */
  long admit(int slot) {
    long name = offered.get()[0];
    bySlot[slot] = name;
    return name;
  }

  long of(int slot) {
    return bySlot[slot];
  }

  /** The finalizer of MurmurHash3, twice, so that files and offsets don't cancel out. */
  static long name(long fileId, long offset) {
    return mix(mix(fileId + 0x9e3779b97f4a7c15L) + offset);
  }

  static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
