// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ArrayMarks;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rows read at once compared with rows read mark by mark. */
final class MarkRowTest {
  private static final int ROUNDS = 200_000;

  private final SplittableRandom random = new SplittableRandom(41);

  /** Few different marks, so that there are equals, and empty slots. */
  private int[] marks() {
    int[] marks = new int[SlotMarks.ROW_SLOTS];
    int different = 1 + random.nextInt(9);
    for (int i = 0; i < marks.length; i++) {
      marks[i] = random.nextInt(different) * (random.nextBoolean() ? 1 : 255 / different);
    }
    return marks;
  }

  private static long row(int[] marks) {
    ArrayMarks slots = new ArrayMarks(2 * SlotMarks.ROW_SLOTS);
    for (int i = 0; i < marks.length; i++) {
      slots.set(SlotMarks.ROW_SLOTS + i, marks[i]);
    }
    return slots.row(SlotMarks.ROW_SLOTS);
  }

  private static int lowest(int[] marks, int start) {
    int lowest = start;
    for (int i = 0; i < marks.length; i++) {
      int place = (start + i) % marks.length;
      if (marks[place] != 0 && (marks[lowest] == 0 || marks[place] < marks[lowest])) {
        lowest = place;
      }
    }
    return lowest;
  }

  @Test
  void shouldFindTheFirstLowestMarkAndCountBlocks() {
    for (int round = 0; round < ROUNDS; round++) {
      int[] marks = marks();
      long row = row(marks);
      int blocks = 0;
      for (int i = 0; i < marks.length; i++) {
        assertThat(MarkRow.mark(row, i)).isEqualTo(marks[i]);
        blocks += marks[i] == 0 ? 0 : 1;
      }
      assertThat(MarkRow.blocks(row)).as("%x", row).isEqualTo(blocks);
      for (int start = 0; start < marks.length; start++) {
        int place = MarkRow.lowest(MarkRow.from(row, start));
        int expected = lowest(marks, start);
        assertThat((start + place) % marks.length).as("%x from %d", row, start).isEqualTo(expected);
      }
    }
  }
}
