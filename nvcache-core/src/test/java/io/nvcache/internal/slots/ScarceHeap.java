// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.space.Sizing;

/** Has an allocator cut extents in a heap that has no room for what it keeps of them. */
final class ScarceHeap {
  private static final int PIECE = 256 << 10;
  private static final int EXTENTS = 2;
  private static final int TIMES = 4;

  private ScarceHeap() {}

  public static void main(String[] args) {
    // Millions of slots in an extent, whose references take megabytes.
    SlabAllocator allocator =
        new SlabAllocator(
            new Sizing(Sizing.Cut.SLABS, 256, 1 << 30, (long) EXTENTS << 30, 4096, 4096));
    int failed = 0;
    for (int i = 0; i < TIMES; i++) {
      failed += fails(allocator) ? 1 : 0;
    }
    int allocated = 0;
    for (int length : new int[] {100, 4000}) {
      allocated += allocator.allocate(length) == Allocator.NO_SPACE ? 0 : 1;
    }
    System.out.println("failed " + failed + ", allocated " + allocated);
  }

  private static boolean fails(SlabAllocator allocator) {
    byte[][] ballast = new byte[1 << 10][];
    int pieces = 0;
    try {
      while (pieces < ballast.length) {
        ballast[pieces] = new byte[PIECE];
        pieces++;
      }
    } catch (OutOfMemoryError full) {
      for (int i = 0; i < 4; i++) { // Enough to go on with, and too little for an extent.
        ballast[--pieces] = null;
      }
    }
    try {
      allocator.allocate(100);
      return false;
    } catch (OutOfMemoryError meant) {
      return ballast[0] != null;
    }
  }
}
