// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Race;
import io.nvcache.testing.Seeds;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What every eviction policy owes the engine, whether it gives victims on demand or by sweeping.
 */
public abstract class EvictionContract {
  private static final int SLOTS = 777;
  private static final int CONTENDED_SLOTS = 16;

  /** The policy under test. */
  protected abstract EvictionFactory factory();

  /** Bytes off the heap for that many slots. */
  protected abstract long metadataBytes(int slots);

  /** Threads that may evict at once. */
  protected int evictors() {
    return 3;
  }

  /**
   * Makes room for one block as the engine does.
   *
   * @return the slot that was emptied, or {@link EvictionPolicy#NO_VICTIM}
   */
  protected int evictOne(FakeIndex index) {
    for (int attempt = 0; attempt < 2 * index.slots(); attempt++) {
      int slot = index.policy.victim();
      if (slot == EvictionPolicy.NO_VICTIM || index.evict(slot)) {
        return slot;
      }
    }
    return EvictionPolicy.NO_VICTIM;
  }

  private FakeIndex index() {
    return new FakeIndex(SLOTS, factory());
  }

  private BitSet evictAll(FakeIndex index) {
    BitSet given = new BitSet();
    for (int slot = evictOne(index); slot != EvictionPolicy.NO_VICTIM; slot = evictOne(index)) {
      assertThat(given.get(slot)).as("slot %s given before", slot).isFalse();
      given.set(slot);
    }
    return given;
  }

  private static BitSet occupied(FakeIndex index) {
    BitSet occupied = new BitSet();
    for (int slot = 0; slot < index.slots(); slot++) {
      occupied.set(slot, index.isOccupied(slot));
    }
    return occupied;
  }

  private static void hitSome(FakeIndex index, Random random) {
    for (int i = 0; i < SLOTS; i++) {
      index.policy.onHit(random.nextInt(SLOTS));
    }
  }

  @Test
  void shouldGiveNothingWhenThereIsNothing() {
    try (FakeIndex index = index()) {
      assertThat(evictOne(index)).isEqualTo(EvictionPolicy.NO_VICTIM);
      index.admit(5);
      index.remove(5);
      assertThat(evictOne(index)).isEqualTo(EvictionPolicy.NO_VICTIM);
      assertThat(index.refusedEvictions).hasValue(0);
    }
  }

  @Test
  void shouldGiveTheOnlyBlockWhereverItIs() {
    for (int slot : new int[] {0, 1, SLOTS / 2, SLOTS - 1}) {
      try (FakeIndex index = index()) {
        index.admit(slot);
        assertThat(evictOne(index)).isEqualTo(slot);
      }
    }
    try (FakeIndex single = new FakeIndex(1, factory())) {
      single.admit(0);
      assertThat(evictOne(single)).isZero();
    }
  }

  @Test
  void shouldGiveEveryBlockOnce() {
    Seeds.each(
        5,
        random -> {
          try (FakeIndex index = index()) {
            for (int slot = 0; slot < SLOTS; slot++) {
              index.admit(slot);
            }
            hitSome(index, random);
            assertThat(evictAll(index).cardinality()).isEqualTo(SLOTS);
          }
        });
  }

  @Test
  void shouldGiveNoEmptySlot() {
    Seeds.each(
        5,
        random -> {
          try (FakeIndex index = index()) {
            for (int slot = 0; slot < SLOTS; slot++) {
              index.admit(slot);
              index.policy.onHit(slot);
              if (random.nextBoolean()) {
                index.remove(slot);
              }
            }
            BitSet left = occupied(index);
            assertThat(evictAll(index)).isEqualTo(left);
            assertThat(index.refusedEvictions).hasValue(0);
          }
        });
  }

  @Test
  void shouldFollowSlotsThatAreUsedAgain() {
    Seeds.each(
        5,
        random -> {
          try (FakeIndex index = index()) {
            for (int step = 0; step < 5_000; step++) {
              int slot = random.nextInt(SLOTS);
              switch (random.nextInt(8)) {
                case 0, 1, 2 -> index.admit(slot);
                case 3 -> index.remove(slot);
                case 4 -> {
                  if (index.resident() > SLOTS / 4) {
                    assertThat(evictOne(index)).isNotEqualTo(EvictionPolicy.NO_VICTIM);
                  }
                }
                default -> index.policy.onHit(slot);
              }
            }
            BitSet left = occupied(index);
            assertThat(evictAll(index)).isEqualTo(left);
            assertThat(index.refusedEvictions).hasValue(0);
          }
        });
  }

  @Test
  void shouldPassOverPinnedBlocksAndGiveThemLater() {
    try (FakeIndex index = index()) {
      BitSet pinned = new BitSet();
      for (int slot = 0; slot < SLOTS; slot++) {
        index.admit(slot);
        if (slot % 10 < 3) {
          index.pin(slot);
          pinned.set(slot);
        }
      }
      BitSet given = evictAll(index);
      assertThat(given.cardinality()).isEqualTo(SLOTS - pinned.cardinality());
      assertThat(given.intersects(pinned)).isFalse();
      pinned.stream().forEach(index::unpin);
      assertThat(evictAll(index)).isEqualTo(pinned);
    }
  }

  @Test
  void shouldIgnoreHitsOnEmptySlots() {
    Seeds.each(
        5,
        random -> {
          try (FakeIndex index = index()) {
            hitSome(index, random);
            assertThat(evictOne(index)).isEqualTo(EvictionPolicy.NO_VICTIM);
            for (int slot = 0; slot < SLOTS; slot += 2) {
              index.admit(slot);
            }
            hitSome(index, random);
            BitSet left = occupied(index);
            assertThat(evictAll(index)).isEqualTo(left);
            assertThat(index.refusedEvictions).hasValue(0);
          }
        });
  }

  @Test
  void shouldTellItsMemory() {
    try (FakeIndex index = index()) {
      assertThat(index.policy.metadataBytes()).isEqualTo(metadataBytes(SLOTS));
    }
  }

  @Test
  void shouldStandManyThreads() throws Exception {
    try (FakeIndex index = new FakeIndex(CONTENDED_SLOTS, factory())) {
      int evictors = evictors();
      Race.run(
          evictors + 3,
          thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < 50_000; i++) {
              int slot = random.nextInt(CONTENDED_SLOTS);
              if (thread < evictors) {
                if (index.resident() > CONTENDED_SLOTS / 2) {
                  evictOne(index);
                }
              } else if (thread == evictors) {
                index.policy.onHit(slot);
              } else if (random.nextInt(4) == 0) {
                index.remove(slot);
              } else {
                index.admit(slot);
              }
            }
          });
      BitSet left = occupied(index);
      assertThat(evictAll(index)).isEqualTo(left);
      assertThat(index.resident()).isZero();
    }
  }
}
