// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.space.Sizing;
import io.nvcache.testing.HeapFilling;
import java.util.function.IntConsumer;

/** Frees regions, and opens them again, in a heap that has no room for anything. */
final class ScarceRegions {
  private static final int REGION = 64 << 10;
  private static final int REGIONS = 1 << 10;
  private static final int PIECE = 512;

  private ScarceRegions() {}

  public static void main(String[] args) {
    long capacity = RegionLayout.SUPERBLOCKS_BYTES + (long) REGIONS * REGION;
    RegionTable table =
        new RegionTable(new Sizing(Sizing.Cut.REGIONS, 256, REGION, capacity, 4096, 4096));
    int[] prepared = new int[1];
    IntConsumer prepare = region -> prepared[0]++;
    long generation = 0;
    while (!table.isFull()) {
      table.open(generation++, prepare);
    }
    int failed = 0;
    Object[] last = new Object[1];
    fill(last);
    for (int region = 0; region < REGIONS; region++) {
      try {
        table.free(region);
      } catch (OutOfMemoryError e) {
        failed++;
      }
    }
    int lost = REGIONS;
    prepared[0] = 0;
    fill(last);
    while (lost > 0 && !table.isFull()) {
      try {
        table.open(generation++, prepare);
        lost--;
      } catch (OutOfMemoryError e) {
        failed++;
        break; // What was prepared is the region's, which must have been opened then.
      }
    }
    boolean isFull = last[0] != null;
    last[0] = null;
    System.out.println(
        isFull + ", failed " + failed + ", lost " + lost + ", prepared " + prepared[0]);
  }

  /** As small as a boxed number. */
  private static final class Node {
    final Object next;

    Node(Object next) {
      this.next = next;
    }
  }

  private static void fill(Object[] last) {
    HeapFilling.addTo(last, PIECE);
    try {
      while (true) {
        last[0] = new Node(last[0]);
      }
    } catch (OutOfMemoryError full) {
      // Now not even a number does.
    }
  }
}
