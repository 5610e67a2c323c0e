// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import io.nvcache.bench.sample.Quartiles;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What two sides did in turns: in each round one after the other, the first one another each time,
 * so that what else the machine does meets both.
 *
 * @param <T> what a side does in a turn
 */
final class Rounds<T> {
  private final List<T> bare = new ArrayList<>();
  private final List<T> cached = new ArrayList<>();

  /** A side. */
  @FunctionalInterface
  interface Side<T> {
    /** Has its turn in a round, which is negative where it only compiles what turns run. */
    T turn(int round) throws IOException;
  }

  private Rounds() {}

  /** Runs so many rounds, and one before them that does not count, unless a stop is asked for. */
  static <T> Rounds<T> of(
      int rounds, Progress.Phase phase, StopSignal stop, Side<T> bare, Side<T> cached)
      throws IOException {
    Rounds<T> done = new Rounds<>();
    for (int round = -1; round < rounds && !stop.isRequested(); round++) {
      boolean isBareFirst = (round & 1) == 0;
      T first = (isBareFirst ? bare : cached).turn(round);
      T second = (isBareFirst ? cached : bare).turn(round);
      if (round >= 0) {
        done.bare.add(isBareFirst ? first : second);
        done.cached.add(isBareFirst ? second : first);
        phase.at(round + 1L, "");
      }
    }
    return done;
  }

  /** Returns the median of a figure of the bare side; NaN where no round was run. */
  double bare(ToDoubleFunction<T> figure) {
    return median(bare.stream().mapToDouble(figure).toArray());
  }

  /** Returns the median of a figure of the cached side; NaN where no round was run. */
  double cached(ToDoubleFunction<T> figure) {
    return median(cached.stream().mapToDouble(figure).toArray());
  }

  /** Returns the median of the cached side's ÷ the bare side's; NaN where no round was run. */
  double ratio(ToDoubleFunction<T> figure) {
    return median(
        IntStream.range(0, bare.size())
            .mapToDouble(
                i -> figure.applyAsDouble(cached.get(i)) / figure.applyAsDouble(bare.get(i)))
            .toArray());
  }

  private static double median(double[] values) {
    return values.length == 0 ? Double.NaN : Quartiles.of(values).median();
  }
}
