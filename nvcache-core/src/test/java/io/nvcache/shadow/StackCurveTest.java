// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import io.nvcache.testing.Seeds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The one pass compared with plain LRU caches, one for each size. */
final class StackCurveTest {
  private static final long[] SIZES = {500, 1_000, 2_500, 5_000, 40_000};

  /** LRU in the plainest way: hits if the block and all that was used since fit. */
  private static final class PlainLru {
    private final long capacityBytes;
    private final Map<Long, Integer> blocks = new LinkedHashMap<>(16, 0.75f, true);
    private long hits;

    PlainLru(long capacityBytes) {
      this.capacityBytes = capacityBytes;
    }

    void lookUp(long key) {
      long above = 0;
      boolean seen = false;
      for (Map.Entry<Long, Integer> block : blocks.entrySet()) {
        seen |= block.getKey() == key;
        above += seen ? block.getValue() : 0;
      }
      hits += seen && above <= capacityBytes ? 1 : 0;
      blocks.get(key);
    }
  }

  @Test
  void shouldCountTheHitsOfPlainLruAtEverySize() {
    Seeds.each(
        8,
        random -> {
          StackCurve curve = new StackCurve(SIZES);
          PlainLru[] plain = new PlainLru[SIZES.length];
          for (int i = 0; i < SIZES.length; i++) {
            plain[i] = new PlainLru(SIZES[i]);
          }
          for (int step = 0; step < 6_000; step++) {
            use(curve, plain, random, (long) Math.abs(random.nextGaussian() * 40) + 1);
          }
          long[] hits = curve.hits();
          for (int i = 0; i < SIZES.length; i++) {
            assertThat(hits[i]).as("hits at %d", SIZES[i]).isEqualTo(plain[i].hits);
          }
          assertThat(hits[0]).isPositive();
        });
  }

  private static void use(StackCurve curve, PlainLru[] plain, Random random, long key) {
    if (random.nextInt(20) == 0) {
      curve.remove(key);
      for (PlainLru lru : plain) {
        lru.blocks.remove(key);
      }
      return;
    }
    StackCurve.Seen seen = curve.find(key);
    if (seen == null) {
      int length = 20 + random.nextInt(80);
      curve.put(key, key % 3, length, Source.READ);
      for (PlainLru lru : plain) {
        lru.blocks.put(key, length);
      }
    } else {
      curve.lookUp(seen);
      for (PlainLru lru : plain) {
        lru.lookUp(key);
      }
    }
  }

  @Test
  void shouldForgetWhatLiesDeeperThanTheLargestSize() {
    StackCurve curve = new StackCurve(new long[] {100, 1_000});
    for (long key = 1; key <= 30; key++) {
      curve.put(key, 1, 100, Source.SCAN);
    }
    assertThat(curve.find(20)).isNull();
    assertThat(curve.find(21)).isNotNull();
    assertThat(curve.find(30)).extracting(StackCurve.Seen::source).isEqualTo(Source.SCAN);
  }

  @Test
  void shouldForgetFiles() {
    StackCurve curve = new StackCurve(SIZES);
    for (long key = 1; key <= 30; key++) {
      curve.put(key, key % 3, 10, Source.READ);
    }
    curve.removeFile(1);
    for (long key = 1; key <= 30; key++) {
      assertThat(curve.find(key) == null).isEqualTo(key % 3 == 1);
    }
    for (long key = 3; key <= 30; key += 3) {
      StackCurve.Seen seen = curve.find(key);
      assertThat(seen).isNotNull();
      curve.lookUp(seen);
    }
    assertThat(curve.hits()[0]).isEqualTo(10);
  }
}
