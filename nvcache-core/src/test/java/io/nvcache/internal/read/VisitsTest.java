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
import org.junit.jupiter.api.Test;

final class VisitsTest {
  private static final int LENGTH = 4096;

  private final StripedCounters counters = new StripedCounters();
  private final Visits visits = new Visits(counters);

  private boolean hit(long block, int bytes) {
    int stripe = counters.stripe();
    boolean begins = visits.begins(1, block * LENGTH, bytes, stripe);
    assertThat(visits.found(0, LENGTH, stripe)).isEqualTo(begins);
    return begins;
  }

  /** Returns how much of a lookup this is to the policy, which is asked if the part missed. */
  private boolean miss(long block, int bytes) {
    boolean begins = visits.begins(1, block * LENGTH, bytes, counters.stripe());
    assertThat(visits.isOfferedAgain(1, block * LENGTH, LENGTH)).isEqualTo(!begins);
    return begins;
  }

  /** The parts of a few blocks, in any order. */
  private static List<Long> inTurns(int blocks, int parts, Random random) {
    List<Long> order = new ArrayList<>();
    for (long block = 0; block < blocks; block++) {
      order.addAll(Collections.nCopies(parts, block));
    }
    Collections.shuffle(order, random);
    return order;
  }

  @Test
  void shouldCountABlockThatIsReadInPartsOnce() {
    Seeds.each(
        50,
        random -> {
          int parts = 1 << random.nextInt(9);
          int blocks = 1 + random.nextInt(7);
          boolean misses = random.nextBoolean();
          for (int round = 0; round < 3; round++) {
            long began = 0;
            for (long block : inTurns(blocks, parts, random)) {
              boolean begins = misses ? miss(block, LENGTH / parts) : hit(block, LENGTH / parts);
              began += begins ? 1 : 0;
            }
            assertThat(began).as("%s blocks in %s parts", blocks, parts).isEqualTo(blocks);
          }
        });
  }

  @Test
  void shouldCountEachPartThatIsReadNowAndThen() {
    for (int round = 0; round < 10; round++) {
      for (long block = 0; block < 20; block++) {
        assertThat(hit(block, 100)).isTrue();
        assertThat(hit(block, 100)).as("at once once more").isFalse();
      }
    }
    assertThat(counters.sum(Counter.CONTINUED_LOOKUPS)).isEqualTo(200);
    assertThat(counters.sum(Counter.CONTINUED_HITS)).isEqualTo(200);
  }

  /** The buffer was longer than what was left of the block. */
  @Test
  void shouldGoByWhatWasRead() {
    int stripe = counters.stripe();
    assertThat(visits.begins(1, 0, LENGTH, stripe)).isTrue();
    assertThat(visits.found(LENGTH - 10, LENGTH, stripe)).isTrue();
    assertThat(visits.begins(1, 0, LENGTH, stripe)).isFalse();
    assertThat(visits.found(10, LENGTH, stripe)).isFalse();
    assertThat(visits.begins(1, 0, LENGTH, stripe)).as("it was read to its end").isTrue();
  }

  @Test
  void shouldGoByTheFirstOfferWhereOnlyOneIsMade() {
    assertThat(visits.isOfferedAgain(1, 0, LENGTH)).isFalse();
    int stripe = counters.stripe();
    for (int part = 0; part < 4; part++) {
      visits.begins(1, 0, LENGTH / 4, stripe);
    }
    assertThat(visits.isOfferedAgain(1, 0, LENGTH)).isFalse();
    assertThat(visits.begins(1, 0, LENGTH / 4, stripe)).isTrue();
  }

  @Test
  void shouldKeepThreadsApart() throws Exception {
    AtomicLong began = new AtomicLong();
    Race.run(
        4,
        thread -> {
          for (int i = 0; i < 4_000; i++) {
            began.addAndGet(hit(i / 4, LENGTH / 4) ? 1 : 0);
          }
        });
    assertThat(began).hasValue(4_000);
    assertThat(counters.sum(Counter.CONTINUED_LOOKUPS)).isEqualTo(12_000);
  }
}
