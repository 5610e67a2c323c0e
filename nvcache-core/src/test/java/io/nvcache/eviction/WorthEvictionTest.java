// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.VictimPricing;
import io.nvcache.testing.ArrayMarks;
import io.nvcache.testing.MutableSettings;
import io.nvcache.testing.Seeds;
import java.util.Random;
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
    assertThat(policy.priceNextVictim())
        .as("no block was refused room yet")
        .isEqualTo(VictimPricing.NO_PRICE);
    evict();
    assertThat(policy.priceNextVictim()).isEqualTo(3 * VictimPricing.LOOKUP_WORTH);
    assertThat(policy.leastWorth()).isEqualTo(3 * VictimPricing.LOOKUP_WORTH);
    for (int i = 0; i < SLOTS / 10; i++) {
      evict();
    }
    for (int slot = 0; slot < SLOTS / 2; slot++) {
      if (marks.get(slot) != 0) {
        policy.onRemove(slot);
      }
    }
    assertThat(policy.priceNextVictim()).isEqualTo(VictimPricing.NO_PRICE);
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
            int worth = run.priceNextVictim();
            int[] worths = worths(run);
            int victim = run.victim();
            assertThat(worths[victim]).isEqualTo(worth);
            assertThat(run.worth(victim)).as("spared").isEqualTo(8 * VictimPricing.LOOKUP_WORTH);
            run.onRemove(victim);
            run.expect(worth);
            run.onAdmit(victim);
          }
        });
  }

  private static int[] worths(WorthEviction policy) {
    int[] worths = new int[SLOTS];
    for (int slot = 0; slot < SLOTS; slot++) {
      worths[slot] = policy.worth(slot);
    }
    return worths;
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
      assertThat(policy.worth(0)).isEqualTo(hit * VictimPricing.LOOKUP_WORTH);
    }
    int mark = marks.get(0);
    policy.onHit(0);
    assertThat(marks.get(0)).isEqualTo(mark);
    assertThat(policy.worth(0)).isEqualTo(8 * VictimPricing.LOOKUP_WORTH);
  }

  @Test
  void shouldHalveWorthsInAboutEightLookupsPerSlot() {
    fill(4 * VictimPricing.LOOKUP_WORTH);
    for (long lookups = 0; lookups <= 8 * SLOTS; lookups += 10) {
      policy.advance(lookups);
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      assertThat(policy.worth(slot))
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
      faded += policy.worth(slot) < 64 ? 1 : 0;
    }
    assertThat(faded).isGreaterThan(SLOTS * 3 / 4);
  }

  @Test
  void shouldFadeNoMoreThanARoundForLookupsMissed() {
    fill(4 * VictimPricing.LOOKUP_WORTH);
    for (int calls = 0; calls < 100; calls++) {
      policy.advance(1L << 50);
    }
    int sum = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      assertThat(policy.worth(slot)).isBetween(52, 56);
      sum += policy.worth(slot);
    }
    assertThat((double) sum / SLOTS).as("64 less a sixth and one").isBetween(52.5, 53.5);
  }

  /** Eight lookups were to halve in eight lookups per slot; but such a block would come often. */
  @Test
  void shouldForgetSoonWhatCameOftenAndDoesNotComeAnyMore() {
    fill(8);
    for (long lookups = 10; lookups <= 5 * SLOTS; lookups += 10) {
      policy.advance(lookups);
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      assertThat(policy.worth(slot)).isBetween(0, 5 * VictimPricing.LOOKUP_WORTH);
    }
  }

  /**
   * A window of blocks that slides on over as many as there are slots: those behind it were looked
   * up often, and are dead; those in it are young.
   */
  @Test
  void shouldEvictTheOldestWherePopularityMoves() {
    fill(0);
    evict();
    Random random = new Random(3);
    int window = SLOTS / 2;
    for (long now = 1; now <= 60L * SLOTS; now++) {
      int newest = (int) (now / 12);
      int slot = (newest + random.nextInt(window)) % SLOTS;
      policy.onHit(slot);
      policy.advance(now);
      if (now % 12 == 0) { // Takes the place of the one that left the window first.
        int next = (newest + window) % SLOTS;
        policy.onRemove(next);
        policy.expect(VictimPricing.LOOKUP_WORTH);
        policy.onAdmit(next);
      }
    }
    int newest = 60 * SLOTS / 12;
    int behind = 0;
    for (int i = 0; i < 64; i++) {
      behind += (policy.victim() - newest % SLOTS + SLOTS) % SLOTS >= window ? 1 : 0;
    }
    assertThat(behind).as("victims behind the window").isGreaterThanOrEqualTo(50);
    assertThat(policy.victimForecast()).isLessThan(0.3);
  }

  /** Each is looked up as often as ever: those that were not lately are no worse than others. */
  @Test
  void shouldEvictTheLeastUsedWherePopularityIsStable() {
    fill(0);
    evict();
    Random random = new Random(3);
    for (long now = 1; now <= 60L * SLOTS; now++) {
      double u = random.nextDouble();
      policy.onHit((int) (SLOTS * u * u * u));
      policy.advance(now);
      if (now % 50 == 0) {
        int victim = policy.victim();
        policy.onRemove(victim);
        policy.expect(VictimPricing.LOOKUP_WORTH);
        policy.onAdmit(victim);
      }
    }
    int cold = 0;
    for (int i = 0; i < 64; i++) {
      cold += policy.victim() >= SLOTS / 4 ? 1 : 0;
    }
    assertThat(cold).as("victims that are not of the hot quarter").isGreaterThanOrEqualTo(58);
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
