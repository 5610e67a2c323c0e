// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.VictimPricing;
import io.nvcache.testing.ArrayMarks;
import io.nvcache.testing.MutableSettings;
import io.nvcache.testing.Seeds;
import org.junit.jupiter.api.Test;

class WorthEvictionTest extends EvictionContract {
  private static final int SLOTS = 1_024;

  private final ArrayMarks marks = new ArrayMarks(SLOTS);
  private final WorthEviction policy =
      new WorthEviction(new EvictionContext(SLOTS, marks, new MutableSettings(), () -> 0));

  @Override
  protected EvictionFactory factory() {
    return WorthEviction::new;
  }

  @Override
  protected long metadataBytes(int slots) {
    return 0;
  }

  private void fill(int worth) {
    policy.expect(worth);
    for (int slot = 0; slot < SLOTS; slot++) {
      policy.onAdmit(slot);
    }
  }

  private void evict() {
    policy.onRemove(policy.victim());
  }

  @Test
  void shouldAskNoPriceWhileThereIsRoom() {
    fill(3 * VictimPricing.LOOKUP_WORTH);
    assertThat(policy.victimWorth())
        .as("nobody was refused room yet")
        .isEqualTo(VictimPricing.NO_PRICE);
    evict();
    assertThat(policy.victimWorth()).isEqualTo(3 * VictimPricing.LOOKUP_WORTH);
    for (int i = 0; i < SLOTS / 10; i++) {
      evict();
    }
    for (int slot = 0; slot < SLOTS / 2; slot++) {
      if (marks.get(slot) != 0) {
        policy.onRemove(slot);
      }
    }
    assertThat(policy.victimWorth()).isEqualTo(VictimPricing.NO_PRICE);
  }

  @Test
  void shouldEvictTheBlockItPriced() {
    Seeds.each(
        20,
        random -> {
          ArrayMarks ofRun = new ArrayMarks(SLOTS);
          WorthEviction run =
              new WorthEviction(new EvictionContext(SLOTS, ofRun, new MutableSettings(), () -> 0));
          for (int slot = 0; slot < SLOTS; slot++) {
            run.expect(random.nextInt(60));
            run.onAdmit(slot);
          }
          run.advance(1);
          run.onRemove(run.victim());
          for (int i = 0; i < 100; i++) {
            int worth = run.victimWorth();
            int before = sum(ofRun);
            int victim = run.victim();
            assertThat(sum(ofRun) - before)
                .as("how far it was raised")
                .isEqualTo(8 * VictimPricing.LOOKUP_WORTH - worth);
            run.onRemove(victim);
            run.expect(worth);
            run.onAdmit(victim);
          }
        });
  }

  private static int sum(ArrayMarks marks) {
    int sum = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      sum += marks.get(slot);
    }
    return sum;
  }

  @Test
  void shouldEvictMostlyTheLowest() {
    fill(VictimPricing.LOOKUP_WORTH);
    for (int slot = 0; slot < SLOTS; slot++) {
      if (slot % 4 != 0) {
        policy.onHit(slot);
      }
    }
    int cold = 0;
    for (int i = 0; i < SLOTS / 8; i++) {
      int victim = policy.victim();
      policy.onRemove(victim);
      cold += victim % 4 == 0 ? 1 : 0;
    }
    assertThat(cold).isGreaterThan(95 * SLOTS / 8 / 100);
  }

  @Test
  void shouldCountEightHitsAndThenWriteNoMore() {
    policy.expect(0);
    policy.onAdmit(0);
    for (int hit = 1; hit <= 8; hit++) {
      policy.onHit(0);
      assertThat(marks.get(0)).isEqualTo(1 + hit * VictimPricing.LOOKUP_WORTH);
    }
    policy.onHit(0);
    assertThat(marks.get(0)).isEqualTo(1 + 8 * VictimPricing.LOOKUP_WORTH);
  }

  @Test
  void shouldHalveWorthsInAboutEightLookupsPerSlot() {
    fill(4 * VictimPricing.LOOKUP_WORTH);
    for (long lookups = 0; lookups <= 8 * SLOTS; lookups += 10) {
      policy.advance(lookups);
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      assertThat(marks.get(slot) - 1)
          .isBetween(VictimPricing.LOOKUP_WORTH * 3 / 2, VictimPricing.LOOKUP_WORTH * 5 / 2);
    }
    for (long lookups = 8 * SLOTS; lookups <= 100 * SLOTS; lookups += 10) {
      policy.advance(lookups);
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      assertThat(marks.get(slot)).as("still occupied").isEqualTo(1);
    }
  }

  /** Under an admission policy that knows nothing of worths. */
  @Test
  void shouldTellTimeByEvictionsWhereNobodyTellsIt() {
    fill(4 * VictimPricing.LOOKUP_WORTH);
    for (int i = 0; i < SLOTS / 8; i++) {
      int victim = policy.victim();
      policy.onRemove(victim);
      policy.onAdmit(victim);
    }
    int faded = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      faded += marks.get(slot) <= 1 + 64 - 64 / 6 - 1 ? 1 : 0;
    }
    assertThat(faded).isGreaterThan(SLOTS * 3 / 4);
  }

  @Test
  void shouldFadeNoMoreThanARoundForLookupsMissed() {
    fill(4 * VictimPricing.LOOKUP_WORTH);
    for (int calls = 0; calls < 100; calls++) {
      policy.advance(1L << 50);
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      assertThat(marks.get(slot)).isEqualTo(1 + 64 - 64 / 6 - 1);
    }
  }

  @Test
  void shouldGiveAlikeVictimsOnAlikeCalls() {
    int[] first = victims();
    assertThat(victims()).isEqualTo(first);
  }

  private int[] victims() {
    try (FakeIndex index = new FakeIndex(SLOTS, factory())) {
      for (int slot = 0; slot < SLOTS; slot++) {
        index.admit(slot);
      }
      int[] victims = new int[SLOTS];
      for (int i = 0; i < SLOTS; i++) {
        victims[i] = evictOne(index);
      }
      return victims;
    }
  }
}
