// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import io.nvcache.testing.Race;
import io.nvcache.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class VisitsTest {
  private static final int LENGTH = 4096;

  private final StripedCounters counters = new StripedCounters();
  private final Visits visits = new Visits(counters);

  private boolean begins(long block, int from, int bytes) {
    return visits.begins(1, block * LENGTH, from, bytes, counters.stripe());
  }

  private boolean hit(long block, int from, int bytes) {
    boolean begins = begins(block, from, bytes);
    assertThat(visits.found(0, LENGTH, counters.stripe())).isEqualTo(begins);
    return begins;
  }

  /** Returns how much of a lookup this is to the policy, which is asked if the part missed. */
  private boolean miss(long block, int from, int bytes) {
    boolean begins = begins(block, from, bytes);
    assertThat(visits.isOfferedAgain(1, block * LENGTH, LENGTH)).isEqualTo(!begins);
    return begins;
  }

  /** The parts of a block, by number: in any order if there are few, else from one end. */
  private static List<Integer> order(int parts, Random random) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, parts).boxed().toList());
    if (parts <= 1 + Visits.MOST_JUMPS) {
      Collections.shuffle(order, random);
    } else if (random.nextBoolean()) {
      Collections.reverse(order);
    }
    return order;
  }

  @Test
  void shouldCountABlockThatIsReadInPartsOnce() {
    Seeds.each(
        50,
        random -> {
          int parts = 1 << random.nextInt(9);
          int bytes = LENGTH / parts;
          int blocks = 1 + random.nextInt(4); // As many have room in any case.
          boolean misses = random.nextBoolean();
          for (int round = 0; round < 3; round++) {
            List<List<Integer>> orders = new ArrayList<>();
            for (int block = 0; block < blocks; block++) {
              orders.add(order(parts, random));
            }
            long began = 0;
            for (int i = 0; i < parts; i++) {
              for (int block = 0; block < blocks; block++) {
                int from = orders.get(block).get(i) * bytes;
                began += (misses ? miss(block, from, bytes) : hit(block, from, bytes)) ? 1 : 0;
              }
            }
            assertThat(began).as("%s blocks in %s parts", blocks, parts).isEqualTo(blocks);
          }
        });
  }

  @Test
  void shouldCountABlockThatIsReadInOverlappingPartsOnce() {
    for (int round = 0; round < 3; round++) {
      for (int from = 0; from <= LENGTH / 4; from += 16) {
        assertThat(hit(1, from, 3 * LENGTH / 4)).isEqualTo(from == 0);
      }
    }
  }

  /** Few of many parts that are wanted again and again are not one visit without end. */
  @Test
  void shouldCountABlockThatIsReadHereAndThere() {
    long began = 0;
    Random random = new Random(1);
    for (int i = 0; i < 1_600; i++) {
      began += hit(1, 2 * random.nextInt(LENGTH / 2), 1) ? 1 : 0;
    }
    assertThat(began).isGreaterThanOrEqualTo(1_600 / (1 + Visits.MOST_JUMPS));
  }

  @Test
  void shouldCountEachPartThatIsReadNowAndThen() {
    for (int round = 0; round < 10; round++) {
      for (long block = 0; block < 200; block++) {
        assertThat(hit(block, 0, 100)).isTrue();
        assertThat(hit(block, 0, 100)).as("at once once more").isFalse();
      }
    }
    assertThat(counters.sum(Counter.CONTINUED_LOOKUPS)).isEqualTo(2_000);
    assertThat(counters.sum(Counter.CONTINUED_HITS)).isEqualTo(2_000);
  }

  /** The buffer was longer than what was left of the block. */
  @Test
  void shouldGoByWhatWasRead() {
    int stripe = counters.stripe();
    assertThat(begins(0, LENGTH - 10, LENGTH)).isTrue();
    assertThat(visits.found(LENGTH - 10, LENGTH, stripe)).isTrue();
    assertThat(begins(0, 0, LENGTH - 10)).isFalse();
    assertThat(visits.found(0, LENGTH, stripe)).isFalse();
    assertThat(begins(0, 0, LENGTH)).as("it was read to its end").isTrue();
  }

  @Test
  void shouldGoByTheFirstOfferWhereOnlyOneIsMade() {
    assertThat(visits.isOfferedAgain(1, 0, LENGTH)).isFalse();
    for (int part = 0; part < 4; part++) {
      begins(0, part * LENGTH / 4, LENGTH / 4);
    }
    assertThat(visits.isOfferedAgain(1, 0, LENGTH)).isFalse();
    assertThat(begins(0, 0, LENGTH / 4)).isTrue();
  }

  @Test
  void shouldKeepThreadsApart() throws Exception {
    AtomicLong began = new AtomicLong();
    Race.run(
        4,
        thread -> {
          for (int i = 0; i < 4_000; i++) {
            began.addAndGet(hit(i / 4, i % 4 * LENGTH / 4, LENGTH / 4) ? 1 : 0);
          }
        });
    assertThat(began).hasValue(4_000);
    assertThat(counters.sum(Counter.CONTINUED_LOOKUPS)).isEqualTo(12_000);
  }
}
