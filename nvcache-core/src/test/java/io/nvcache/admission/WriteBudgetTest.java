// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.admission.WriteBudget.Pool;
import io.nvcache.testing.Seeds;
import org.junit.jupiter.api.Test;

final class WriteBudgetTest {
  private static final Pool[] POOLS = Pool.values();
  private static final double ROUNDING = 1e-6;
  private static final int CAPACITY = 1_000;
  private static final double TARGET = 0.10;

  private static boolean admits(WriteBudget budget, double gain) {
    return budget.decide(Pool.DEMAND, gain, 0, 1, TARGET) == AdmissionDecision.ADMIT;
  }

  private static boolean fills(WriteBudget budget) {
    return budget.decide(Pool.FILL, 0, 0, 1, TARGET) == AdmissionDecision.ADMIT;
  }

  /** What may be written by the time that the targets in force add up to {@code allowed}. */
  private static double most(double allowed, double capacity) {
    return allowed + Math.max(0, capacity - allowed / 2) + ROUNDING;
  }

  /** Arbitrary streams, sizes, targets, weights, takings-back and removals. */
  @Test
  void shouldExceedTheTargetByTheLoanAtMost() {
    Seeds.each(
        300,
        random -> {
          int capacity = 1 + random.nextInt(3_000);
          double weight = random.nextBoolean() ? 0 : random.nextInt(6) / 2.0;
          WriteBudget budget = new WriteBudget(capacity, weight);
          double target = random.nextDouble();
          double allowed = 0;
          long lookups = 0;
          long hits = 0;
          long blocks = 0;
          long removed = 0;
          double written = 0;
          for (int step = 0; step < 5_000; step++) {
            switch (random.nextInt(8)) {
              case 0, 1, 2 -> {
                int more = random.nextInt(random.nextInt(100) == 0 ? 30_000 : 100);
                lookups += more;
                allowed += target * more;
              }
              case 3 -> hits = Math.min(lookups, hits + random.nextInt(100));
              case 4 ->
                  removed +=
                      random.nextInt(50) == 0
                          ? blocks - removed
                          : Math.min(blocks - removed, random.nextInt(100));
              case 5 -> {
                if (random.nextInt(200) == 0) {
                  target = random.nextInt(5) == 0 ? 0 : random.nextDouble() * 2;
                  budget.advance(lookups, target);
                }
              }
              default -> {
                int longest = random.nextInt(4) == 0 ? 400 : 8; // Beyond the burst, too.
                double size =
                    random.nextBoolean() ? 1 : 1 + random.nextInt(longest) * random.nextDouble();
                budget.advance(lookups, target);
                if (random.nextBoolean()) {
                  budget.observe(hits, removed);
                }
                boolean again = blocks > removed && random.nextInt(4) == 0;
                Pool pool = again ? Pool.DEMAND : POOLS[random.nextInt(POOLS.length)];
                double gain = random.nextInt(20);
                double leastGain = random.nextInt(2);
                boolean admitted =
                    again
                        ? budget.readmits(gain, leastGain, size, target)
                        : budget.decide(pool, gain, leastGain, size, target)
                            == AdmissionDecision.ADMIT;
                if (admitted) {
                  if (random.nextInt(5) == 0) {
                    budget.refund(pool, size);
                  } else {
                    removed += again ? 1 : 0; // What is written once more leaves its old place.
                    blocks++;
                    written += size;
                  }
                }
              }
            }
            assertThat(written + weight * removed)
                .as("%s blocks of %s at %s lookups, weight %s", blocks, written, lookups, weight)
                .isLessThanOrEqualTo(
                    most(allowed, capacity) + weight * (capacity - (blocks - removed)));
          }
        });
  }

  private static boolean admitsAnyWay(WriteBudget budget, int way, double target) {
    return switch (way) {
      case 0 -> budget.readmits(100, 0, 1, target);
      case 1 -> budget.decide(Pool.REWRITE, 100, 0, 1, target) == AdmissionDecision.ADMIT;
      default -> budget.decide(Pool.DEMAND, 100, 0, 1, target) == AdmissionDecision.ADMIT;
    };
  }

  /**
   * The most demanding load: more hits than writes, so that these seem to pay, and blocks offered
   * until one is refused; now and then one is taken back, all are taken out, or the target changes.
   * It comes near the bound, which is therefore no looser than it has to be.
   */
  @Test
  void shouldLendOneCapacityOnceWhateverHappens() {
    Seeds.each(
        40,
        random -> {
          double weight = random.nextInt(3);
          WriteBudget budget = new WriteBudget(CAPACITY, weight);
          double[] targets = {0.02, 0.1, 0.5, random.nextDouble()};
          double target = targets[random.nextInt(4)];
          double allowed = 0;
          double closest = 0;
          long admitted = 0;
          long removed = 0;
          long now = 0;
          while (allowed < 6 * CAPACITY) {
            now++;
            allowed += target;
            budget.advance(now, target);
            budget.observe(100 * now, removed);
            while (admitsAnyWay(budget, random.nextInt(6), target)) {
              admitted++;
              removed = Math.max(removed, admitted - CAPACITY);
              if (random.nextInt(8) == 0) {
                budget.refund(Pool.DEMAND, 1);
                admitted--;
              }
            }
            double ofRoom = weight * (CAPACITY - (admitted - removed));
            double written = admitted + weight * removed - ofRoom;
            assertThat(written)
                .as("at %s lookups, target %s", now, target)
                .isLessThanOrEqualTo(most(allowed, CAPACITY));
            if (allowed > 2 * CAPACITY) {
              assertThat(written).isLessThanOrEqualTo(allowed + ROUNDING);
            }
            closest = Math.max(closest, written / most(allowed, CAPACITY));
            if (random.nextInt(3 * CAPACITY) == 0) {
              removed = admitted;
            }
            if (random.nextInt(3 * CAPACITY) == 0) {
              int unasked = random.nextInt(CAPACITY); // All of them hit.
              now += unasked;
              allowed += target * unasked;
              target = targets[random.nextInt(4)];
              budget.advance(now, target);
            }
          }
          assertThat(closest).isGreaterThan(0.95);
        });
  }

  @Test
  void shouldFillAnEmptyCacheInFourCapacitiesOfLookups() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    int admitted = 0;
    int now = 0;
    while (admitted < 0.95 * CAPACITY) {
      budget.advance(++now, TARGET);
      budget.observe(admitted, 0);
      admitted += admits(budget, 10) ? 1 : 0;
    }
    assertThat(now).isLessThan(4 * CAPACITY);
  }

  @Test
  void shouldSpendNearlyAllOfItOnSteadyDemand() {
    for (double weight : new double[] {0, 1}) {
      WriteBudget budget = new WriteBudget(CAPACITY, weight);
      long admitted = 0;
      long removed = 0;
      int lookups = 200 * CAPACITY;
      for (int now = 1; now <= lookups; now++) {
        budget.advance(now, TARGET);
        budget.observe(now / 2, removed);
        if (admits(budget, 3)) {
          admitted++;
          removed = Math.max(0, admitted - CAPACITY);
        }
      }
      assertThat((admitted + weight * removed) / lookups).isBetween(0.93 * TARGET, TARGET);
    }
  }

  @Test
  void shouldKeepShortStretchesUnderThreeTimesTheTarget() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.advance(1_000 * CAPACITY, TARGET); // Saves up.
    int admitted = 0;
    int stretch = 10 * CAPACITY;
    for (int i = 0; i < stretch; i++) {
      budget.advance(1_000L * CAPACITY + i, TARGET);
      budget.observe(500L * CAPACITY + i / 2, admitted);
      admitted += admits(budget, 10) ? 1 : 0;
    }
    assertThat((double) admitted / stretch).isBetween(TARGET, 3 * TARGET);
  }

  @Test
  void shouldLetThePriceFollowDemandAndNotAdmissions() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    long now = 0;
    for (int i = 0; i < 20 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      budget.observe(now / 2, 0);
      budget.decide(
          Pool.DEMAND, 1 + i % 4, 0, 1, TARGET); // Far more than can be had, of four qualities.
    }
    int[] worthIt = new int[5];
    for (int i = 0; i < 4 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      budget.observe(now / 2, 0);
      boolean priced =
          budget.decide(Pool.DEMAND, 1 + i % 4, 0, 1, TARGET) != AdmissionDecision.NOT_WORTH_IT;
      worthIt[1 + i % 4] += priced ? 1 : 0;
    }
    assertThat(worthIt[1]).isZero();
    assertThat(worthIt[2]).isZero();
    assertThat(worthIt[4]).isGreaterThan(worthIt[3]).isPositive();
  }

  @Test
  void shouldLendOnlyTheRoomThatRestoredBlocksLeave() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.restored(900);
    long admitted = 0;
    for (int now = 1; now <= CAPACITY; now++) {
      budget.advance(now, TARGET);
      budget.observe(now, 0);
      admitted += admits(budget, 100) ? 1 : 0;
    }
    assertThat(admitted).isBetween(140L, 150L);
  }

  /** What steady demand left of the credit: the price keeps a sixth of a capacity in hand. */
  @Test
  void shouldRefillFromSavedCreditWhenAllIsTakenOut() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    long now = 0;
    long admitted = 0;
    for (int i = 0; i < 60 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      budget.observe(now / 2, Math.max(0, admitted - CAPACITY));
      if (i % 20 == 0) {
        admitted += admits(budget, 5) ? 1 : 0; // Half of what is allowed.
      }
    }
    budget.observe(now / 2, admitted);
    long before = admitted;
    for (int i = 0; i < 3 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      admitted += admits(budget, 10) ? 1 : 0;
    }
    assertThat(admitted - before).isBetween(95L * CAPACITY / 100, 135L * CAPACITY / 100);
  }

  @Test
  void shouldLendHalfACapacityAndSpendAFifthWhenWritesBringNothing() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    long admitted = 0;
    long now = 0;
    for (int i = 0; i < 100 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      budget.observe(0, admitted); // Whatever comes in is invalidated at once.
      admitted += admits(budget, 10) ? 1 : 0;
      assertThat(admitted).isLessThan((long) (0.5 * CAPACITY + 0.5 * TARGET * now) + 65);
    }
    assertThat((double) admitted / now).isCloseTo(0.2 * TARGET, within(0.1 * TARGET));
  }

  @Test
  void shouldAdmitNothingAtATargetOfZero() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.advance(100 * CAPACITY, 0);
    assertThat(budget.decide(Pool.DEMAND, 15, 0, 1, 0))
        .isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
  }

  /** While nothing may be written, demand must not raise a price that can't sink. */
  @Test
  void shouldAdmitAtOnceAgain_AfterATargetOfZero() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    long now = 0;
    for (int i = 0; i < 50 * CAPACITY; i++) {
      budget.advance(++now, 0);
      budget.decide(Pool.DEMAND, 10, 0, 1, 0);
    }
    budget.advance(++now, TARGET); // The lower of two targets counts.
    long admitted = 0;
    for (int i = 0; i < CAPACITY; i++) {
      budget.advance(++now, TARGET);
      budget.observe(now, 0);
      admitted += admits(budget, 2) ? 1 : 0;
    }
    assertThat(admitted).isGreaterThan(CAPACITY / 2);
  }

  /** Blocks may be longer than expected, or regions kept free: fewer than the capacity fit. */
  @Test
  void shouldKeepThePaceOfAFullCache_ThoughItHoldsFewerBlocksThanItsCapacity() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.observe(WriteBudget.Room.NONE);
    budget.advance(1_000 * CAPACITY, TARGET); // Saves up.
    int fit = 9 * CAPACITY / 10;
    int admitted = 0;
    int stretch = 10 * CAPACITY;
    for (int i = 0; i < stretch; i++) {
      budget.advance(1_000L * CAPACITY + i, TARGET);
      budget.observe(500L * CAPACITY + i / 2, Math.max(0, admitted - fit));
      admitted += admits(budget, 10) ? 1 : 0;
    }
    assertThat((double) admitted / stretch).isBetween(TARGET, 3 * TARGET);
  }

  @Test
  void shouldReportAnOverheadThatSinksThoughNothingIsOffered() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.advance(CAPACITY, TARGET);
    budget.observe(CAPACITY, 0);
    for (int i = 0; i < CAPACITY / 20; i++) {
      assertThat(admits(budget, 10)).isTrue();
    }
    double before = budget.overhead(CAPACITY);
    assertThat(before).isCloseTo(0.05, within(0.02));
    assertThat(budget.overhead(11L * CAPACITY)).isLessThan(before / 10);
    assertThat(budget.overhead(CAPACITY)).as("as it was").isEqualTo(before);
  }

  @Test
  void shouldAskMoreOfLongBlocksAndChargeThemMore() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    int admitted = 0;
    while (budget.decide(Pool.DEMAND, 100, 0, 8, TARGET) == AdmissionDecision.ADMIT) {
      admitted++;
    }
    assertThat(admitted).as("in one burst of 64 blocks").isEqualTo(8);

    WriteBudget priced = new WriteBudget(CAPACITY, 0);
    for (int i = 0; i < 1_000; i++) {
      priced.decide(Pool.DEMAND, 15, 0, 1, TARGET);
    }
    assertThat(priced.decide(Pool.DEMAND, 3, 0, 4, TARGET))
        .isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    assertThat(priced.decide(Pool.DEMAND, 3, 0, 1, TARGET))
        .isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
  }

  /** As long as a quarter of the cache, where a burst is a few blocks. */
  @Test
  void shouldAdmitBlocksLongerThanTheBurst() {
    for (int capacity : new int[] {200, CAPACITY, 100 * CAPACITY}) {
      for (double size : new double[] {65, 100, capacity / 8.0, capacity / 4.0}) {
        WriteBudget budget = new WriteBudget(capacity, 0);
        assertThat(budget.decide(Pool.DEMAND, 100, 0, size, TARGET))
            .isEqualTo(AdmissionDecision.ADMIT);
      }
    }
  }

  /** The debt of the longest ones is paid first: no stretch has more than its pace and a block. */
  @Test
  void shouldKeepThePaceWithBlocksLongerThanTheBurst() {
    Seeds.each(
        20,
        random -> {
          double size = 65 + random.nextInt(150);
          WriteBudget budget = new WriteBudget(CAPACITY, 0);
          budget.observe(WriteBudget.Room.NONE);
          budget.advance(1_000 * CAPACITY, TARGET); // Saves up.
          double admitted = 0;
          for (int i = 1; i <= 20 * CAPACITY; i++) {
            budget.advance(1_000L * CAPACITY + i, TARGET);
            budget.observe(500L * CAPACITY + i / 2, (long) admitted);
            double asked = random.nextInt(4) == 0 ? size : 1;
            admitted +=
                budget.decide(Pool.DEMAND, 200, 0, asked, TARGET) == AdmissionDecision.ADMIT
                    ? asked
                    : 0;
            assertThat(admitted).isLessThanOrEqualTo(2.8 * TARGET * i + 64 + size + ROUNDING);
          }
          assertThat(admitted).isGreaterThan(TARGET * 20 * CAPACITY);
        });
  }

  @Test
  void shouldRefuseSwapsOfEqualsHoweverLowThePrice() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    assertThat(budget.decide(Pool.DEMAND, 1, 1, 1, TARGET))
        .isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    assertThat(budget.decide(Pool.DEMAND, 1.1, 1, 1, TARGET)).isEqualTo(AdmissionDecision.ADMIT);
    assertThat(budget.decide(Pool.DEMAND, 1.1, 2, 2, TARGET))
        .isEqualTo(AdmissionDecision.NOT_WORTH_IT);
  }

  @Test
  void shouldTakeCarriedBlocksAtOnceWhileOthersArePaced() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.advance(1_000 * CAPACITY, TARGET); // Saves up.
    budget.observe(500L * CAPACITY, 0);
    int paced = 0;
    while (admits(budget, 10)) {
      paced++;
    }
    int carried = 0;
    while (budget.decide(Pool.REWRITE, 10, 0, 1, TARGET) == AdmissionDecision.ADMIT) {
      carried++;
    }
    assertThat(paced).isLessThan(CAPACITY / 10);
    assertThat(carried).isGreaterThan(CAPACITY / 2);
  }

  @Test
  void shouldLetNoCarriedBlockRaiseThePrice() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    for (int i = 0; i < 50 * CAPACITY; i++) {
      budget.decide(Pool.REWRITE, 3, 0, 1, TARGET);
    }
    assertThat(budget.decide(Pool.DEMAND, 0.1, 0, 1, TARGET))
        .isNotEqualTo(AdmissionDecision.NOT_WORTH_IT);
  }

  @Test
  void shouldGiveNeitherPaceNorPriceForACarriedBlockThatIsTakenBack() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.advance(1_000 * CAPACITY, TARGET); // Saves up.
    budget.observe(500L * CAPACITY, 0);
    AdmissionDecision last = AdmissionDecision.ADMIT;
    while (last != AdmissionDecision.NOT_WORTH_IT) { // The pace is spent first, and demand goes on.
      last = budget.decide(Pool.DEMAND, 1, 0, 1, TARGET);
    }
    for (int i = 0; i < 10 * CAPACITY; i++) {
      assertThat(budget.decide(Pool.REWRITE, 10, 0, 1, TARGET)).isEqualTo(AdmissionDecision.ADMIT);
      budget.refund(Pool.REWRITE, 1);
    }
    assertThat(budget.decide(Pool.DEMAND, 1, 0, 1, TARGET))
        .isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    assertThat(budget.decide(Pool.DEMAND, 10, 0, 1, TARGET))
        .isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
  }

  @Test
  void shouldFillFreeRoomWithOneCapacityOnceAndWithoutALookup() {
    for (double weight : new double[] {0, 1}) {
      WriteBudget budget = new WriteBudget(CAPACITY, weight);
      int filled = 0;
      int takenBack = 0;
      while (fills(budget)) {
        if (filled % 2 == 0 && takenBack < CAPACITY) {
          budget.refund(Pool.FILL, 1); // The medium was busy, say; it comes again.
          takenBack++;
        } else {
          filled++;
        }
      }
      assertThat(filled).isEqualTo(CAPACITY);
      for (int round = 1; round <= 100; round++) {
        budget.observe(0, filled); // Cleared, and much time passes.
        budget.advance(100L * CAPACITY * round, TARGET);
        assertThat(fills(budget)).isFalse();
      }
    }
  }

  @Test
  void shouldFillTheRoomThatIsFreeAndNoMore() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.restored(CAPACITY / 2);
    budget.advance(100 * CAPACITY, TARGET); // Credit is plenty.
    for (int i = 0; i < CAPACITY / 5; i++) {
      assertThat(budget.decide(Pool.REWRITE, 1, 0, 1, TARGET)).isEqualTo(AdmissionDecision.ADMIT);
    }
    int filled = 0;
    while (fills(budget)) {
      filled++;
    }
    assertThat(filled).isEqualTo(CAPACITY - CAPACITY / 2 - CAPACITY / 5);
  }

  /** As after any other fill: half of the target repays the loan. */
  @Test
  void shouldLeaveHalfOfTheTargetToWhatIsAskedForAfterAFill() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    while (fills(budget)) {
      // All of it.
    }
    long admitted = 0;
    int lookups = 20 * CAPACITY;
    for (int now = 1; now <= lookups; now++) {
      budget.advance(now, TARGET);
      budget.observe(now / 2, admitted);
      admitted += admits(budget, 10) ? 1 : 0;
    }
    assertThat((double) admitted / lookups).isBetween(0.4 * TARGET, 0.6 * TARGET);
  }

  /** A refund gives to no other pool: a block that was offered again has raised no price. */
  @Test
  void shouldLowerNoPriceThatTheBlockDidNotRaise() {
    for (Pool pool : new Pool[] {Pool.KNOWN_DEMAND, Pool.REWRITE}) {
      WriteBudget budget = new WriteBudget(CAPACITY, 0);
      for (int i = 0; i < 4 * CAPACITY; i++) {
        budget.decide(Pool.DEMAND, 15, 0, 1, TARGET); // Raises the price, whatever is affordable.
      }
      budget.advance((long) (8 / TARGET), TARGET); // Enough for a few blocks.
      assertThat(budget.decide(Pool.KNOWN_DEMAND, 1, 0, 1, TARGET))
          .as("a high price")
          .isEqualTo(AdmissionDecision.NOT_WORTH_IT);
      for (int i = 0; i < 4 * CAPACITY; i++) {
        if (budget.decide(pool, 15, 0, 1, TARGET) == AdmissionDecision.ADMIT) {
          budget.refund(pool, 1);
        }
      }
      assertThat(budget.decide(pool, 1, 0, 1, TARGET))
          .as("still a high price, %s", pool)
          .isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    }
  }
}
