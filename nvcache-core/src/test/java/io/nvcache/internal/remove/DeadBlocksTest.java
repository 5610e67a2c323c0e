// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Counts the slots that are searched for dead blocks. */
final class DeadBlocksTest {
  private static final int SLOTS = 1 << 24;

  private final BitSet dead = new BitSet(SLOTS);
  private final DeadBlocks blocks = new DeadBlocks(SLOTS, DeadBlocks.LEAST_SLOTS, 0);
  private long now;
  private long searched;

  private void scan() {
    blocks.scan(() -> dead.cardinality(), now, this::search);
  }

  private void search(int from, int to) {
    searched += to - from;
    dead.clear(from, to);
  }

  @Test
  void shouldSearchInProportionToWhatWasDropped() {
    SplittableRandom random = new SplittableRandom(3);
    int files = 500;
    for (int i = 0; i < files; i++) {
      dead.set(random.nextInt(SLOTS));
      now += TimeUnit.MILLISECONDS.toNanos(10);
      scan();
    }
    assertThat(searched / files).as("slots for each file").isLessThan(1 << 16);
  }

  @Test
  void shouldReclaimALargeFileAtOnce() {
    dead.set(0, SLOTS / 64 + 1);
    dead.set(SLOTS - 1);
    scan();
    assertThat(dead.cardinality()).isZero();
    assertThat(searched).isEqualTo(SLOTS);
  }

  @Test
  void shouldReclaimTheLastBlockWithinAMinute() {
    dead.set(SLOTS - 1);
    for (int second = 0; second <= 60; second++) {
      scan();
      now += TimeUnit.SECONDS.toNanos(1);
    }
    assertThat(dead.cardinality()).isZero();
    long before = searched;
    scan();
    assertThat(searched).as("nothing is dead").isEqualTo(before);
  }

  @Test
  void shouldSearchAShortIndexEachTime() {
    DeadBlocks few = new DeadBlocks(1000, DeadBlocks.LEAST_SLOTS, 0);
    for (int i = 0; i < 3; i++) {
      dead.set(0, 1000);
      few.scan(() -> dead.cardinality(), 0, this::search);
      assertThat(dead.cardinality()).isZero();
    }
    assertThat(searched).isEqualTo(3000);
  }
}
