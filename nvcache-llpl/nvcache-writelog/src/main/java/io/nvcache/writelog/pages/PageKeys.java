// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.pages;

import java.util.Arrays;

/**
 * A set of pages of files, each as one number that sorts by file and place: the file's slot in the
 * log's table above the page's number in the file. For one thread.
 */
public final class PageKeys {
  public static final int PAGE_BYTES = 4096;

  private static final int PAGE_BITS = 12;
  private static final int SLOT_SHIFT = 47;

  /** Files have fewer bytes, so that a page's number fits next to its file's slot. */
  private static final long MAX_BYTES = 1L << (SLOT_SHIFT + PAGE_BITS);

  private long[] keys = new long[64];
  private int count;

  /** Returns whether pages of such a file have a number here. */
  public static boolean canHold(long offset, int length) {
    return offset <= MAX_BYTES - length;
  }

  /** Returns how many pages a range touches. */
  public static int pages(long offset, int length) {
    return length == 0 ? 0 : (int) (pageOf(offset + length - 1) - pageOf(offset)) + 1;
  }

  /** Returns the number in its file of the page that a byte lies in. */
  static long pageOf(long offset) {
    return offset >> PAGE_BITS;
  }

  /** Returns the key of a file's page. */
  static long key(int slot, long page) {
    return (long) slot << SLOT_SHIFT | page;
  }

  /** Returns the slot of a page's file. */
  public static int slotOf(long key) {
    return (int) (key >>> SLOT_SHIFT);
  }

  /** Returns where a page begins in its file. */
  static long offsetOf(long key) {
    return (key & (1L << SLOT_SHIFT) - 1) << PAGE_BITS;
  }

  /** Adds a page, which may be here already. */
  public void add(long key) {
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, 2 * count);
    }
    keys[count++] = key;
  }

  /** Returns each page once, by file and place. */
  long[] sorted() {
    Arrays.sort(keys, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || keys[i] != keys[i - 1]) {
        keys[kept++] = keys[i];
      }
    }
    return Arrays.copyOf(keys, kept);
  }
}
