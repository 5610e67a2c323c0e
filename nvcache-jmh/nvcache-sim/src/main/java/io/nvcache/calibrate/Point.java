// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import java.util.ArrayList;
import java.util.List;

/**
 * How many threads read and how many write at once.
 *
 * @param readers ≥ 0
 * @param writers ≥ 0
 */
public record Point(int readers, int writers) {
  /** The points of one medium: writers alone, readers alone, all readers next to writers. */
  static List<Point> upTo(int maxReaders, int maxWriters) {
    List<Point> points = new ArrayList<>();
    for (int writers : doublings(maxWriters)) {
      points.add(new Point(0, writers));
    }
    for (int readers : doublings(maxReaders)) {
      points.add(new Point(readers, 0));
    }
    for (int writers : doublings(maxWriters)) {
      points.add(new Point(maxReaders, writers));
    }
    return points;
  }

  /** 1, 2, 4 … and the most. */
  static List<Integer> doublings(int most) {
    List<Integer> numbers = new ArrayList<>();
    for (int number = 1; number < most; number *= 2) {
      numbers.add(number);
    }
    numbers.add(most);
    return numbers;
  }
}
