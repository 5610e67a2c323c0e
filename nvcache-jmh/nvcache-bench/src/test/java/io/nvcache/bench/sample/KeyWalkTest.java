// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyWalkTest {
  private static final long SEED = 5;

  private static int[] next(KeyWalk walk, int count) {
    return IntStream.range(0, count).map(i -> walk.next()).toArray();
  }

  @Test
  void shouldVisitEachKeyOnceARound() {
    int[] keys = {3, 8, 20, 21, 22, 40};
    KeyWalk walk = KeyWalk.uniform(keys, SEED);

    int[] firstRound = next(walk, 6);

    assertThat(firstRound).containsExactlyInAnyOrder(keys);
    assertThat(next(walk, 6)).as("the second round").containsExactly(firstRound);
  }

  @Test
  void shouldNotGoInTheOrderOfTheKeys() {
    int[] keys = IntStream.range(0, 10_000).toArray();

    int[] walked = next(KeyWalk.uniform(keys, SEED), keys.length);

    long neighbours =
        IntStream.range(1, walked.length)
            .filter(i -> Math.abs(walked[i] - walked[i - 1]) == 1)
            .count();
    assertThat(neighbours).as("steps to a neighbour, 2 expected; seed " + SEED).isLessThan(15);
  }

  @Test
  void shouldStartAtAPartOfTheRound() {
    KeyWalk walk = KeyWalk.uniform(IntStream.range(0, 100).toArray(), SEED);
    int[] round = next(walk, 100);

    assertThat(next(walk.startingAt(0.5), 50)).containsExactly(Arrays.copyOfRange(round, 50, 100));
  }

  @Test
  void shouldDrawKeysByTheirRank() {
    int[] keys = IntStream.range(100, 1100).toArray();
    int draws = 200_000;
    int[] counts = new int[keys.length];
    for (int key : next(KeyWalk.zipfian(keys, 0.99, draws, SEED), draws)) {
      counts[key - 100]++;
    }

    int[] byPopularity = Arrays.stream(counts).sorted().toArray();
    double sum = IntStream.rangeClosed(1, 1000).mapToDouble(i -> Math.pow(i, -0.99)).sum();
    for (int rank : new int[] {1, 2, 10, 100}) {
      double expected = draws * Math.pow(rank, -0.99) / sum;
      assertThat((double) byPopularity[1000 - rank])
          .as("draws of rank " + rank + "; seed " + SEED)
          .isCloseTo(expected, within(0.15 * expected));
    }
  }

  @Test
  void shouldSpreadPopularKeysOverAllKeys() {
    int[] keys = IntStream.range(0, 10_000).toArray();
    int[] drawn = next(KeyWalk.zipfian(keys, 0.99, 50_000, SEED), 50_000);

    double mean = Arrays.stream(drawn).distinct().average().orElseThrow();

    assertThat(mean).as("mean key; seed " + SEED).isCloseTo(5000, within(500.0));
  }
}
