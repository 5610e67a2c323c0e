// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeatSpreadTest {
  private final HeatSpread spread = new HeatSpread();

  @Test
  void shouldSumUpBlocksThatEndedSinceTheLastOutput() {
    spread.open(1, 0, 3);
    spread.open(1, 1, 4);
    spread.open(1, 2, 5);
    assertThat(spread.wrote()).isEqualTo(3 + 4 + 5);
  }

  /** A rewrite whose outputs are not reported, or that writes none, may read a terabyte. */
  @Test
  void shouldKeepNothingOfInputsThatNoOutputFollows() {
    long before = usedHeap();
    for (int block = 0; block < 1_000_000; block++) {
      spread.open(1, block, 1);
    }
    assertThat(usedHeap() - before).as("bytes of heap").isLessThan(8 << 20);
    assertThat(spread.wrote()).as("and no heat is lost").isEqualTo(1_000_000);
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void shouldDivideAFinishedBlockByTheOutputsItWasOpenFor() {
    spread.open(1, 0, 0);
    spread.wrote();
    spread.open(1, 1, 12);
    spread.wrote();
    spread.wrote();
    spread.wrote();
    spread.open(1, 2, 0);
    assertThat(spread.wrote()).as("the fourth output that it is open for").isEqualTo(12.0 / 4);
  }

  @Test
  void shouldTakeAnOpenBlockToBeSpreadAsThoseBeforeIt() {
    spread.open(1, 0, 0);
    spread.wrote();
    spread.wrote();
    spread.open(1, 1, 0); // Closed during the third.
    spread.wrote();
    spread.wrote();
    spread.open(1, 2, 6);
    assertThat(spread.wrote()).as("of three outputs").isEqualTo(6.0 / 3);
  }

  @Test
  void shouldTakeNewFilesToAdvanceAtOnePace() {
    spread.open(1, 0, 8);
    spread.open(2, 0, 4);
    spread.open(3, 0, 0);
    spread.open(4, 0, 0);
    assertThat(spread.wrote()).isEqualTo((8.0 + 4) / 4);
  }

  @Test
  void shouldKnowWhichBlocksAreOpen() {
    spread.open(1, 0, 1);
    spread.open(2, 0, 1);
    spread.open(1, 7, 1);
    assertThat(spread.isOpen(1, 7)).isTrue();
    assertThat(spread.isOpen(1, 0)).isFalse();
    assertThat(spread.isOpen(2, 0)).isTrue();
    assertThat(spread.isOpen(3, 0)).isFalse();
  }

  /** Merges files of sorted keys, and compares with the heat of the keys themselves. */
  @Test
  void shouldFindTheHotOutputsOfAMerge() {
    Seeds.each(
        20,
        random -> {
          HeatSpread merge = new HeatSpread();
          int files = 2 + random.nextInt(5);
          int keysPerBlock = 8;
          int keys = 4_000;
          double[] heatOfKey = new double[keys];
          for (int hot = 0; hot < 40; hot++) {
            heatOfKey[random.nextInt(keys)] = 100;
          }
          int[] fileOf = random.ints(keys, 0, files).toArray();
          List<List<Integer>> content = new ArrayList<>();
          for (int file = 0; file < files; file++) {
            content.add(new ArrayList<>());
          }
          for (int key = 0; key < keys; key++) {
            content.get(fileOf[key]).add(key);
          }
          int[] next = new int[files];
          double[] foretold = new double[keys / keysPerBlock];
          double[] real = new double[keys / keysPerBlock];
          for (int key = 0; key < keys; key++) {
            int file = fileOf[key];
            if (next[file] % keysPerBlock == 0) {
              double heat = 0;
              for (int i = next[file];
                  i < Math.min(next[file] + keysPerBlock, content.get(file).size());
                  i++) {
                heat += heatOfKey[content.get(file).get(i)];
              }
              merge.open(file, next[file] / keysPerBlock, heat);
            }
            next[file]++;
            real[key / keysPerBlock] += heatOfKey[key];
            if (key % keysPerBlock == keysPerBlock - 1) {
              foretold[key / keysPerBlock] = merge.wrote();
            }
          }
          double sumForetold = 0;
          double sumReal = 0;
          double ofHot = 0;
          int hotOutputs = 0;
          for (int i = 0; i < real.length; i++) {
            sumForetold += foretold[i];
            sumReal += real[i];
            if (real[i] > 0) {
              ofHot += foretold[i];
              hotOutputs++;
            }
          }
          assertThat(sumForetold).as("all heat").isCloseTo(sumReal, within(0.25 * sumReal));
          double share = (double) hotOutputs / real.length;
          assertThat(ofHot / sumForetold).as("of the hot outputs").isGreaterThan(1.5 * share);
        });
  }
}
