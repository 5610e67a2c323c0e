// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

/** Leaves no room in the heap, for programs that show what a lack of memory does. */
public final class HeapFilling {
  private HeapFilling() {}

  /**
   * Allocates until no array of so many bytes finds room. The arrays are a list, so that all are
   * reachable by one reference.
   *
   * @param last its only element is the list's newest array, or null
   */
  public static void addTo(Object[] last, int leastBytes) {
    for (int bytes = 1 << 20; bytes >= leastBytes; bytes /= 2) {
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
