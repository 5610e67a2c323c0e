// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compared with a row of bits, looked at one by one. */
final class FreeRunsTest {
  private static final int GRANULES = 200;
  private static final int STEPS = 5_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldKnowWhatIsFreeAsBitsDo(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FreeRuns runs = new FreeRuns(GRANULES);
    BitSet taken = new BitSet(GRANULES);
    for (int step = 0; step < STEPS; step++) {
      int granules = 1 + random.nextInt(12);
      int start = random.nextInt(GRANULES - granules + 1);
      boolean allTaken = taken.nextClearBit(start) >= start + granules;
      boolean anyFree = taken.nextClearBit(start) < start + granules;
      assertThat(runs.overlaps(start, granules)).isEqualTo(anyFree);
      if (allTaken && random.nextBoolean()) {
        assertThat(runs.lengthIfFreed(start, granules)).isEqualTo(joined(taken, start, granules));
        runs.free(start, granules);
        taken.clear(start, start + granules);
      } else {
        take(runs, taken, granules);
      }
      assertSame(runs, taken);
    }
  }

  private static void take(FreeRuns runs, BitSet taken, int granules) {
    int first = firstOfTheShortest(taken, granules);
    assertThat(runs.longest() >= granules).isEqualTo(first >= 0);
    if (first < 0) {
      return;
    }
    int best = runs.bestFit(granules);
    assertThat(runs.start(best)).as("the best fit").isEqualTo(first);
    int start = runs.take(best, granules);
    assertThat(taken.get(start, start + granules).isEmpty()).isTrue();
    taken.set(start, start + granules);
  }

  /** Where the first of the shortest runs that are long enough begins; -1 if none is. */
  private static int firstOfTheShortest(BitSet taken, int granules) {
    int first = -1;
    int shortest = Integer.MAX_VALUE;
    int from = taken.nextClearBit(0);
    while (from < GRANULES) {
      int length = end(taken, from) - from;
      if (length >= granules && length < shortest) {
        first = from;
        shortest = length;
      }
      from = taken.nextClearBit(from + length);
    }
    return first;
  }

  private static int end(BitSet taken, int from) {
    int next = taken.nextSetBit(from);
    return next < 0 ? GRANULES : next;
  }

  private static int joined(BitSet taken, int start, int granules) {
    int from = start;
    while (from > 0 && !taken.get(from - 1)) {
      from--;
    }
    return end(taken, Math.min(GRANULES, start + granules)) - from;
  }

  private static void assertSame(FreeRuns runs, BitSet taken) {
    int i = 0;
    int longest = 0;
    for (int from = taken.nextClearBit(0);
        from < GRANULES;
        from = taken.nextClearBit(end(taken, from))) {
      assertThat(runs.start(i)).isEqualTo(from);
      assertThat(runs.length(i)).isEqualTo(end(taken, from) - from);
      longest = Math.max(longest, runs.length(i));
      i++;
    }
    assertThat(runs.count()).isEqualTo(i);
    assertThat(runs.longest()).isEqualTo(longest);
  }

  @Test
  void shouldRefuseToFreeWhatIsFree() {
    FreeRuns runs = new FreeRuns(FreeRuns.MAX_GRANULES);
    assertThat(runs.take(runs.bestFit(10), 10)).isZero();
    assertThatThrownBy(() -> runs.free(9, 2)).isInstanceOf(IllegalStateException.class);
    runs.free(0, 10);
    assertThatThrownBy(() -> runs.free(0, 1)).isInstanceOf(IllegalStateException.class);
    assertThat(runs.longest()).isEqualTo(FreeRuns.MAX_GRANULES);
  }
}
