// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.space.Sizing;

/** Frees regions in a heap that has no room for anything. */
final class ScarceRegions {
  private static final int REGION = 64 << 10;
  private static final int REGIONS = 1 << 10;
  private static final int PIECE = 512;

  private ScarceRegions() {}

  public static void main(String[] args) {
    long capacity = RegionLayout.SUPERBLOCKS_BYTES + (long) REGIONS * REGION;
    RegionTable table =
        new RegionTable(new Sizing(Sizing.Cut.REGIONS, 256, REGION, capacity, 4096, 4096));
    for (int generation = 0; !table.isFull(); generation++) {
      table.open(generation, region -> {});
    }
    int failed = 0;
    Object[] last = new Object[1];
    fill(last);
    for (int region = 0; region < table.count(); region++) {
      try {
        table.free(region);
      } catch (OutOfMemoryError e) {
        failed++;
      }
    }
    boolean isFull = last[0] != null;
    last[0] = null;
    System.out.println(
        isFull + ", failed " + failed + ", lost " + (REGIONS - table.deadRegions().size()));
  }

  /** A list, so that what is in it is found by one reference. */
  private static void fill(Object[] last) {
    for (int bytes = 1 << 20; bytes >= PIECE; bytes /= 2) {
      try {
        while (true) {
          Object[] next = new Object[bytes / Long.BYTES];
          next[0] = last[0];
          last[0] = next;
        }
      } catch (OutOfMemoryError full) {
        // Shorter ones may find room.
      }
    }
  }
}
