// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.MutableSettings;
import io.nvcache.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClockEvictionTest extends EvictionContract {
  @Override
  protected EvictionFactory factory() {
    return ClockEviction::new;
  }

  @Override
  protected long metadataBytes(int slots) {
    return 0;
  }

  @Test
  void shouldGiveBlocksWithoutHitsBeforeOthers() {
    try (FakeIndex index = new FakeIndex(6, factory())) {
      for (int slot = 0; slot < 6; slot++) {
        index.admit(slot);
      }
      for (int slot : new int[] {0, 2, 2, 3}) {
        index.policy.onHit(slot);
      }
      // The hand lowers 0, 2 and 3 on its first round, and 2 once more on its second.
      for (int slot : new int[] {1, 4, 5, 0, 3, 2}) {
        assertThat(evictOne(index)).isEqualTo(slot);
      }
    }
  }

  @Test
  void shouldLookNearFirstAndLowerTheWholeRow() {
    try (FakeIndex index = new FakeIndex(24, factory())) {
      for (int slot = 0; slot < 24; slot++) {
        index.admit(slot);
      }
      for (int slot = 8; slot < 16; slot++) {
        index.policy.onHit(slot);
      }
      index.policy.onHit(9);
      index.policy.onHit(12);

      int victim = index.policy.victim(12);
      assertThat(index.remove(victim)).isTrue();

      assertThat(victim).as("the first of the lowest from 12 on").isEqualTo(13);
      assertThat(index.policy.victim(9)).as("9 and 12 are above the others still").isEqualTo(10);
      assertThat(index.policy.victim(17)).isEqualTo(17);
    }
  }

  @Test
  void shouldLookFurtherWhenNothingIsNear() {
    try (FakeIndex index = new FakeIndex(20, factory())) {
      index.admit(3);

      assertThat(index.policy.victim(8)).isEqualTo(3);
      assertThat(index.policy.victim(19)).as("the last row is not whole").isEqualTo(3);
    }
  }

  @Test
  void shouldGiveDifferentBlocksToThoseWhoAskInTurn() {
    try (FakeIndex index = new FakeIndex(4, factory())) {
      for (int slot = 0; slot < 4; slot++) {
        index.admit(slot);
      }
      for (int slot : new int[] {0, 1, 2, 3, 0}) {
        assertThat(index.policy.victim()).isEqualTo(slot);
      }
    }
  }

  @Test
  void shouldStopWritingWhenABlockIsHitAgainAndAgain() {
    CountingMarks marks = new CountingMarks(1);
    EvictionPolicy policy = policy(marks);
    policy.onAdmit(0);
    for (int i = 0; i < 100; i++) {
      policy.onHit(0);
    }
    assertThat(marks.sets).isEqualTo(1 + 6);
    assertThat(marks.get(0)).isEqualTo(7);
  }

  @Test
  void shouldLookAtABoundedNumberOfSlotsWhenAllAreHot() {
    CountingMarks marks = new CountingMarks(100_000);
    EvictionPolicy policy = policy(marks);
    for (int slot = 0; slot < marks.marks.length; slot++) {
      policy.onAdmit(slot);
      for (int i = 0; i < (slot == 800 ? 5 : 10); i++) {
        policy.onHit(slot);
      }
    }
    marks.gets = 0;
    assertThat(policy.victim()).as("the lowest of those seen").isEqualTo(800);
    assertThat(marks.gets).isEqualTo(ClockEviction.ENOUGH_STEPS);
    assertThat(policy.victim()).as("the first of equals").isEqualTo(8 * ClockEviction.ENOUGH_STEPS);
  }

  @Test
  void shouldFindALonelyBlockInALargeIndex() {
    CountingMarks marks = new CountingMarks(100_000);
    EvictionPolicy policy = policy(marks);
    policy.onAdmit(99_999);
    policy.onHit(99_999);
    assertThat(policy.victim()).as("within so many steps").isEqualTo(EvictionPolicy.NO_VICTIM);
    assertThat(policy.victim()).isEqualTo(99_999);
  }

  /** A hit that read its mark before the slot was emptied and wrote it after. */
  @Test
  void shouldNotHangOnAMarkLeftOnAnEmptySlot() {
    try (FakeIndex index = new FakeIndex(8, factory())) {
      index.admit(1);
      index.admit(5);
      index.marks.set(3, 2);
      assertThat(evictOne(index)).isEqualTo(1);
      assertThat(evictOne(index)).isEqualTo(5);
      assertThat(evictOne(index)).isEqualTo(EvictionPolicy.NO_VICTIM);
      index.admit(3);
      assertThat(evictOne(index)).isEqualTo(3);
      assertThat(index.policy.victim()).isEqualTo(EvictionPolicy.NO_VICTIM);
    }
  }

  @Test
  void shouldMakeTheDecisionsOfANaiveModel() {
    Seeds.each(
        100,
        random -> {
          int slots = 1 + random.nextInt(40);
          NaiveClock model = new NaiveClock(slots);
          try (FakeIndex index = new FakeIndex(slots, factory())) {
            for (int step = 0; step < 2_000; step++) {
              int slot = random.nextInt(slots);
              switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                  if (index.admit(slot)) {
                    model.set(slot, 1);
                  }
                }
                case 3 -> {
                  index.remove(slot);
                  model.set(slot, 0);
                }
                case 4 -> assertThat(index.policy.victim()).isEqualTo(model.victim());
                default -> {
                  index.policy.onHit(slot);
                  model.hit(slot);
                }
              }
            }
          }
        });
  }

  private static EvictionPolicy policy(CountingMarks marks) {
    return new ClockEviction(
        new EvictionContext(marks.marks.length, marks, new MutableSettings(), () -> 0));
  }

  /** One round of the clock seen from above. */
  private static final class NaiveClock {
    /** By turn of the hand. */
    private final int[] count;

    /** Which slot has which turn: the first of each eight, the second of each, and so on. */
    private final List<Integer> order = new ArrayList<>();

    private int hand;

    NaiveClock(int slots) {
      count = new int[slots];
      int row = slots % 8 == 0 ? 8 : 1;
      for (int first = 0; first < row; first++) {
        for (int slot = first; slot < slots; slot += row) {
          order.add(slot);
        }
      }
    }

    void set(int slot, int value) {
      count[order.indexOf(slot)] = value;
    }

    void hit(int slot) {
      int turn = order.indexOf(slot);
      if (count[turn] > 0) {
        count[turn] = Math.min(7, count[turn] + 1);
      }
    }

    int victim() {
      int turn = victimTurn();
      return turn == EvictionPolicy.NO_VICTIM ? turn : order.get(turn);
    }

    private int victimTurn() {
      int victim = EvictionPolicy.NO_VICTIM;
      for (int level = 1; level <= 7 && victim == EvictionPolicy.NO_VICTIM; level++) {
        for (int i = count.length - 1; i >= 0; i--) {
          int slot = (hand + i) % count.length;
          victim = count[slot] == level ? slot : victim;
        }
      }
      if (victim == EvictionPolicy.NO_VICTIM) {
        return victim;
      }
      boolean found = count[victim] == 1;
      int passed = found ? Math.floorMod(victim - hand, count.length) : count.length;
      for (int i = 0; i < passed; i++) {
        int slot = (hand + i) % count.length;
        count[slot] = Math.max(0, count[slot] - 1);
      }
      hand = (hand + passed + (found ? 1 : 0)) % count.length;
      return victim;
    }
  }

  private static final class CountingMarks implements SlotMarks {
    private final int[] marks;
    private int gets;
    private int sets;

    CountingMarks(int slots) {
      marks = new int[slots];
    }

    @Override
    public int get(int slot) {
      gets++;
      return marks[slot];
    }

    @Override
    public void set(int slot, int mark) {
      sets++;
      marks[slot] = mark;
    }
  }
}
