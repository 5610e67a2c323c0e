// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.testing.Seeds;
import org.junit.jupiter.api.Test;

final class WriteBudgetTest {
  private static final double ROUNDING = 1e-6;
  private static final int CAPACITY = 1_000;
  private static final double TARGET = 0.10;

  private static boolean admits(WriteBudget budget, double gain) {
    return budget.decide(gain, 0, 1, TARGET) == AdmissionDecision.ADMIT;
  }

  /** Arbitrary streams, sizes, targets, weights, takings-back and removals. */
  @Test
  void shouldKeepWritesWithinTargetAndRoom() {
    Seeds.each(
        300,
        random -> {
          int capacity = 1 + random.nextInt(3_000);
          double weight = random.nextBoolean() ? 0 : random.nextInt(6) / 2.0;
          double room = Math.max(1.5, weight);
          WriteBudget budget = new WriteBudget(capacity, weight);
          double target = random.nextDouble();
          double highest = target;
          long lookups = 0;
          long hits = 0;
          long blocks = 0;
          long removed = 0;
          double written = 0;
          for (int step = 0; step < 5_000; step++) {
            switch (random.nextInt(8)) {
              case 0, 1 -> lookups += random.nextInt(30);
              case 2 -> lookups += random.nextInt(random.nextInt(60) == 0 ? 30_000 : 300);
              case 3 -> hits = Math.min(lookups, hits + random.nextInt(100));
              case 4 -> removed += Math.min(blocks - removed, random.nextInt(100));
              case 5 -> {
                if (random.nextInt(200) == 0) {
                  target = random.nextInt(5) == 0 ? 0 : random.nextDouble() * 2;
                  highest = Math.max(highest, target);
                }
              }
              default -> {
                double size =
                    random.nextBoolean() ? 1 : 1 + random.nextInt(8) * random.nextDouble();
                budget.advance(lookups, target);
                if (random.nextBoolean()) {
                  budget.observe(hits, removed);
                }
                boolean again = blocks > removed && random.nextInt(4) == 0;
                double gain = random.nextInt(20);
                double leastGain = random.nextInt(2);
                boolean admitted =
                    again
                        ? budget.readmits(gain, leastGain, size, target)
                        : (random.nextBoolean()
                                ? budget.decide(gain, leastGain, size, target)
                                : budget.decideCarried(gain, leastGain, size, target))
                            == AdmissionDecision.ADMIT;
                if (admitted) {
                  if (random.nextInt(5) == 0) {
                    budget.takeBack(size, target);
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
                    highest * lookups + room * (capacity - (blocks - removed)) + ROUNDING);
          }
        });
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
      budget.decide(1 + i % 4, 0, 1, TARGET); // Far more than can be had, of four qualities.
    }
    int[] worthIt = new int[5];
    for (int i = 0; i < 4 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      budget.observe(now / 2, 0);
      boolean priced = budget.decide(1 + i % 4, 0, 1, TARGET) != AdmissionDecision.NOT_WORTH_IT;
      worthIt[1 + i % 4] += priced ? 1 : 0;
    }
    assertThat(worthIt[1]).isZero();
    assertThat(worthIt[2]).isZero();
    assertThat(worthIt[4]).isGreaterThan(worthIt[3]).isPositive();
  }

  @Test
  void shouldHaveRoomForHalfTheCacheAgainWhenAllIsTakenOut() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    long now = 0;
    long admitted = 0;
    for (int i = 0; i < 20 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      budget.observe(now / 2, Math.max(0, admitted - CAPACITY));
      admitted += admits(budget, 5) ? 1 : 0;
    }
    budget.observe(now / 2, admitted);
    long before = admitted;
    for (int i = 0; i < 2 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      admitted += admits(budget, 10) ? 1 : 0;
    }
    assertThat(admitted - before).isBetween(5L * CAPACITY / 10, 65L * CAPACITY / 100);
  }

  @Test
  void shouldLendNoRoomAndSpendAFifthWhenWritesBringNothing() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    long admitted = 0;
    long now = 0;
    for (int i = 0; i < 100 * CAPACITY; i++) {
      budget.advance(++now, TARGET);
      budget.observe(0, admitted); // Whatever comes in is invalidated at once.
      admitted += admits(budget, 10) ? 1 : 0;
    }
    assertThat((double) admitted / now).isCloseTo(0.2 * TARGET, within(0.1 * TARGET));
  }

  @Test
  void shouldAdmitNothingAtATargetOfZero() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    budget.advance(100 * CAPACITY, 0);
    assertThat(budget.decide(15, 0, 1, 0)).isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
  }

  @Test
  void shouldAskMoreOfLongBlocksAndChargeThemMore() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    int admitted = 0;
    while (budget.decide(100, 0, 8, TARGET) == AdmissionDecision.ADMIT) {
      admitted++;
    }
    assertThat(admitted).as("in one burst of 64 blocks").isEqualTo(8);

    WriteBudget priced = new WriteBudget(CAPACITY, 0);
    for (int i = 0; i < 400; i++) {
      priced.decide(15, 0, 1, TARGET);
    }
    assertThat(priced.decide(3, 0, 4, TARGET)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    assertThat(priced.decide(3, 0, 1, TARGET)).isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
  }

  @Test
  void shouldRefuseSwapsOfEqualsHoweverLowThePrice() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    assertThat(budget.decide(1, 1, 1, TARGET)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    assertThat(budget.decide(1.1, 1, 1, TARGET)).isEqualTo(AdmissionDecision.ADMIT);
    assertThat(budget.decide(1.1, 2, 2, TARGET)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
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
    while (budget.decideCarried(10, 0, 1, TARGET) == AdmissionDecision.ADMIT) {
      carried++;
    }
    assertThat(paced).isLessThan(CAPACITY / 10);
    assertThat(carried).isGreaterThan(CAPACITY / 2);
  }

  @Test
  void shouldLetNoCarriedBlockRaiseThePrice() {
    WriteBudget budget = new WriteBudget(CAPACITY, 0);
    for (int i = 0; i < 50 * CAPACITY; i++) {
      budget.decideCarried(3, 0, 1, TARGET);
    }
    assertThat(budget.decide(0.1, 0, 1, TARGET)).isNotEqualTo(AdmissionDecision.NOT_WORTH_IT);
  }
}
