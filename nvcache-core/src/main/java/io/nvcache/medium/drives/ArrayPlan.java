// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which drive of an array each of the given places is, by the labels that lie there. A drive is
 * known by its label, wherever it is now; what is no drive of the array takes the number of one
 * that is missing, of the same length, and is empty.
 *
 * @param newest the label that says which drives count; null if there is no array yet
 * @param numbers by place: the number of the drive
 * @param current the places whose drives count, with what is on them
 */
record ArrayPlan(@Nullable ArrayLabel newest, List<Integer> numbers, BitSet current) {
  /**
   * Makes the plan.
   *
   * @param labels by place; null where there is none
   * @param units by place: how many there are on it
   */
  static ArrayPlan of(
      List<? extends @Nullable ArrayLabel> labels, List<Integer> units, int unitBytes) {
    List<Integer> sorted = units.stream().sorted().toList();
    List<@Nullable ArrayLabel> fitting = new ArrayList<>();
    for (int place = 0; place < labels.size(); place++) {
      ArrayLabel label = labels.get(place);
      boolean fits =
          label != null
              && label.unitBytes() == unitBytes
              && label.own().units() == units.get(place)
              && label.units().stream().sorted().toList().equals(sorted);
      fitting.add(fits ? label : null);
    }
    ArrayLabel newest = newest(fitting);
    if (newest == null) {
      List<Integer> inOrder = new ArrayList<>();
      for (int place = 0; place < units.size(); place++) {
        inOrder.add(place);
      }
      return new ArrayPlan(null, inOrder, new BitSet());
    }
    return of(newest, fitting, units);
  }

  private static ArrayPlan of(
      ArrayLabel newest, List<? extends @Nullable ArrayLabel> labels, List<Integer> units) {
    BitSet current = new BitSet();
    BitSet taken = new BitSet();
    List<Integer> numbers = new ArrayList<>(Collections.nCopies(labels.size(), -1));
    List<Integer> byAge = IntStream.range(0, labels.size()).boxed().collect(Collectors.toList());
    byAge.sort(Comparator.comparingLong(place -> -epoch(labels.get(place))));
    for (int place : byAge) {
      ArrayLabel label = labels.get(place);
      boolean counts =
          label != null
              && label.array().equals(newest.array())
              && newest.counts(label)
              && newest.members().get(label.number()).units() == units.get(place)
              && !taken.get(label.number()); // Of two copies, the newer or first.
      if (label != null && counts) {
        numbers.set(place, label.number());
        current.set(place);
        taken.set(label.number());
      }
    }
    for (int place = 0; place < labels.size(); place++) {
      if (numbers.get(place) < 0) {
        int number = free(newest, taken, units.get(place));
        numbers.set(place, number);
        taken.set(number);
      }
    }
    return new ArrayPlan(newest, numbers, current);
  }

  private static long epoch(@Nullable ArrayLabel label) {
    return label == null ? 0 : label.epoch();
  }

  private static int free(ArrayLabel newest, BitSet taken, int units) {
    int number = 0;
    while (taken.get(number) || newest.members().get(number).units() != units) {
      number++; // There is one: the lengths are the same ones, in some order.
    }
    return number;
  }

  /** Returns the newest label of the array that most drives are of; of several, the first. */
  static @Nullable ArrayLabel newest(List<? extends @Nullable ArrayLabel> labels) {
    return labels.stream()
        .filter(Objects::nonNull)
        .map(label -> Objects.requireNonNull(label))
        .max(
            Comparator.<ArrayLabel>comparingInt(label -> drives(labels, label.array()))
                .thenComparing(label -> label.array().equals(first(labels, label)) ? 1 : 0)
                .thenComparing(ArrayLabel::array)
                .thenComparingLong(ArrayLabel::epoch)
                .thenComparingInt(label -> -labels.indexOf(label)))
        .orElse(null);
  }

  private static int drives(List<? extends @Nullable ArrayLabel> labels, UUID array) {
    return (int)
        labels.stream().filter(label -> label != null && label.array().equals(array)).count();
  }

  /** Returns the array of the first of the labels. */
  private static UUID first(List<? extends @Nullable ArrayLabel> labels, ArrayLabel any) {
    for (ArrayLabel label : labels) {
      if (label != null) {
        return label.array();
      }
    }
    return any.array();
  }
}
