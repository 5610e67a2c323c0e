// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import io.nvcache.eviction.SlotMarks;

/** Marks in a plain array. */
public final class ArrayMarks implements SlotMarks {
  private final byte[] marks;

  public ArrayMarks(int slots) {
    this.marks = new byte[slots];
  }

  @Override
  public int get(int slot) {
    return marks[slot] & 0xff;
  }

  @Override
  public void set(int slot, int mark) {
    marks[slot] = (byte) mark;
  }
}
