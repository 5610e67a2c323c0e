// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import java.util.Arrays;

/** Jobs in the order of their ends; those that end together in the order they came. */
final class JobHeap {
  private static final int FIRST_LENGTH = 16;

  private double[] ends = new double[FIRST_LENGTH];
  private long[] arrivals = new long[FIRST_LENGTH];
  private Activity[] activities = new Activity[FIRST_LENGTH];
  private int size;
  private long arrived;

  int size() {
    return size;
  }

  /** When the first ends; infinity if there is none. */
  double firstEnd() {
    return size == 0 ? Double.POSITIVE_INFINITY : ends[0];
  }

  void add(double end, Activity activity) {
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      arrivals = Arrays.copyOf(arrivals, 2 * size);
      activities = Arrays.copyOf(activities, 2 * size);
    }
    long arrival = arrived++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (!isBefore(end, arrival, parent)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    put(at, end, arrival, activity);
  }

  /** Takes the first out. */
  Activity poll() {
    Activity first = activities[0];
    size--;
    double end = ends[size];
    long arrival = arrivals[size];
    int at = 0;
    for (int child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(ends[child + 1], arrivals[child + 1], child)) {
        child++;
      }
      if (isBefore(end, arrival, child)) {
        break;
      }
      move(child, at);
      at = child;
    }
    put(at, end, arrival, activities[size]);
    return first;
  }

  private boolean isBefore(double end, long arrival, int other) {
    return end < ends[other] || (end == ends[other] && arrival < arrivals[other]);
  }

  private void move(int from, int to) {
    put(to, ends[from], arrivals[from], activities[from]);
  }

  private void put(int at, double end, long arrival, Activity activity) {
    ends[at] = end;
    arrivals[at] = arrival;
    activities[at] = activity;
  }
}
