// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import java.util.Arrays;

/** A stack of numbers. */
public final class IntStack {
  private static final int FIRST_LENGTH = 64;

  private int[] numbers = new int[FIRST_LENGTH];
  private int size;

  public boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  public void push(int number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
    }
    numbers[size++] = number;
  }

  public int pop() {
    return numbers[--size];
  }

  public void moveTo(IntStack other) {
    for (int i = 0; i < size; i++) {
      other.push(numbers[i]);
    }
    size = 0;
  }
}
