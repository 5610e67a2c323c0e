// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.testing.Seeds;
import io.nvcache.testing.ZipfRanks;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyHeatTest {
  private static final int CAPACITY_BLOCKS = 1024;

  /** It halves no group. */
  private static final long NEVER = -1;

  private static long hash(long key) {
    return new SplittableRandom(key).nextLong();
  }

  @Test
  void shouldCountTheLookupsOfAKey() {
    KeyHeat heat = new KeyHeat(CAPACITY_BLOCKS, () -> NEVER);
    for (int i = 0; i < 300; i++) {
      heat.lookedUp(hash(1));
    }
    for (int i = 0; i < 7; i++) {
      heat.lookedUp(hash(2));
    }
    assertThat(heat.recentLookups(hash(1))).as("at most").isEqualTo(255);
    assertThat(heat.recentLookups(hash(2))).isEqualTo(7);
    assertThat(heat.recentLookups(hash(3))).isZero();
  }

  @Test
  void shouldKeepHotKeysAmongManyThatAreLookedUpOnce() {
    Seeds.each(
        10,
        random -> {
          KeyHeat heat = new KeyHeat(CAPACITY_BLOCKS, () -> NEVER);
          long cold = 1 << 20;
          for (int round = 0; round < 40; round++) {
            for (int hot = 0; hot < CAPACITY_BLOCKS; hot++) {
              heat.lookedUp(hash(hot));
              heat.lookedUp(hash(cold++));
            }
          }
          int known = 0;
          for (int hot = 0; hot < CAPACITY_BLOCKS; hot++) {
            known += heat.recentLookups(hash(hot)) >= 20 ? 1 : 0;
          }
          assertThat(known).isGreaterThan(CAPACITY_BLOCKS * 9 / 10);
          long of = 0;
          for (long key = 1 << 20; key < cold; key++) {
            of += heat.recentLookups(hash(key));
          }
          assertThat((double) of / (cold - (1 << 20))).as("of a cold one").isLessThan(0.1);
        });
  }

  @Test
  void shouldForgetInTime() {
    SplittableRandom random = new SplittableRandom(5);
    KeyHeat heat = new KeyHeat(CAPACITY_BLOCKS, random::nextLong);
    for (int i = 0; i < 200; i++) {
      heat.lookedUp(hash(1));
    }
    int before = heat.recentLookups(hash(1));
    ZipfRanks others = new ZipfRanks(100 * CAPACITY_BLOCKS, 0.99);
    for (int i = 0; i < 96 * CAPACITY_BLOCKS; i++) {
      heat.lookedUp(hash(100 + others.draw(random)));
    }
    assertThat(before).isGreaterThan(100);
    assertThat(heat.recentLookups(hash(1))).as("halved about twelve times").isLessThan(before / 4);
  }

  @Test
  void shouldTakeTheSmallestAndTheLargestCache() {
    for (long blocks : new long[] {1, 2, 1L << 40}) {
      KeyHeat heat = new KeyHeat(blocks, () -> NEVER);
      for (long hash : new long[] {0, -1, Long.MIN_VALUE + 256, Long.MAX_VALUE - 256}) {
        heat.lookedUp(hash);
        assertThat(heat.recentLookups(hash)).isEqualTo(1);
      }
    }
    assertThatThrownBy(() -> new KeyHeat(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBlocks is 0");
  }
}
