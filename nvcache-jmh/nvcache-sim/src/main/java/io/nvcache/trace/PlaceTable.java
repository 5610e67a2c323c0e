// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.Arrays;

/**
 * Numbers 64-bit names from 0 in the order of their first appearance: open addressing over the
 * numbers, whose names are in another array.
 */
final class PlaceTable {
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  /** By hash: a number plus one, or 0. At most half full. */
  private int[] table = new int[1 << 7];

  private long[] names = new long[1 << 6];
  private int count;

  int number(long name) {
    int mask = table.length - 1;
    int at = (int) ((name * GOLDEN_RATIO) >>> 33) & mask;
    while (table[at] != 0) {
      if (names[table[at] - 1] == name) {
        return table[at] - 1;
      }
      at = (at + 1) & mask;
    }
    if (count == names.length) {
      grow();
      return number(name);
    }
    table[at] = count + 1;
    names[count] = name;
    return count++;
  }

  private void grow() {
    if (count == 1 << 29) {
      throw new IllegalStateException(
          "the trace has more than " + count + " different blocks; replay it in parts");
    }
    long[] old = names;
    names = new long[old.length * 2];
    table = new int[table.length * 2];
    count = 0;
    for (long name : old) {
      number(name);
    }
  }

  /** The names by number. */
  long[] inOrder() {
    return Arrays.copyOf(names, count);
  }
}
