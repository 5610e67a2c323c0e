// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CumulativeOverheadBypassTest extends AdmissionContract {
  @Override
  protected AdmissionFactory factory() {
    return CumulativeOverheadBypass::paperFaithful;
  }

  @ParameterizedTest(name = "({1} + {2}) / {0} at {3}: high {4}")
  @CsvSource({
    // lookups, inserts, removals, target, high
    "0, 0, 0, 0.10, true", // Before the first lookup.
    "1, 0, 0, 0.10, false",
    "100, 10, 0, 0.10, false",
    "100, 5, 5, 0.10, false",
    "100, 11, 0, 0.10, true",
    "100, 0, 11, 0.10, true",
    "1000, 109, 0, 0.10, false", // 10.9 % is 10 in whole percent.
    "1000, 110, 0, 0.10, true",
    "100, 0, 0, 0, false", // No percent is not more than no percent.
    "101, 1, 0, 0, false",
    "100, 1, 0, 0, true",
    "100, 29, 0, 0.29, false", // 0.29 * 100 is a little less than 29.
    "100, 30, 0, 0.29, true",
    "10, 100, 0, 10, false",
    "10, 101, 0, 10, true",
  })
  void shouldFollowTheRule(long lookups, long inserts, long removals, double target, boolean high) {
    AdmissionPolicy policy = policy();
    traffic.lookUp(lookups).insert(inserts).remove(removals);
    settings.setOverheadTarget(target);
    assertThat(decide(policy))
        .isEqualTo(high ? AdmissionDecision.BYPASS_OVERHEAD : AdmissionDecision.ADMIT);
    assertThat(policy.mayEvict()).isEqualTo(!high);
  }

  @ParameterizedTest(name = "weight {0}: {1}")
  @CsvSource({"0, 0.10", "0.5, 0.20", "1, 0.30", "3, 0.70"})
  void shouldWeighRemovalsAsTheMediumSays(double weight, double overhead) {
    AdmissionPolicy policy = new CumulativeOverheadBypass(context(weight));
    traffic.lookUp(100).insert(10).remove(20);
    assertThat(policy.overhead()).hasValue(overhead);
  }

  @ParameterizedTest
  @CsvSource({"0", "0.5", "1", "3"})
  void shouldCountRemovalsInFullWhenFaithfulToThePaper(double weight) {
    AdmissionPolicy policy = CumulativeOverheadBypass.paperFaithful(context(weight));
    traffic.lookUp(100).insert(10).remove(20);
    assertThat(policy.overhead()).hasValue(0.30);
  }

  @Test
  void shouldMakeTheDecisionsOfANaiveModel() {
    Seeds.each(
        200,
        random -> {
          AdmissionPolicy policy = policy();
          NaiveOverhead model =
              new NaiveOverhead(
                  traffic.lookups(), traffic.insertedBlocks() + traffic.removedBlocks());
          int percent = random.nextInt(31);
          settings.setOverheadTarget(percent / 100.0);
          int lookupsOfTen = 1 + random.nextInt(9);
          for (int step = 0; step < 2_000; step++) {
            if (random.nextInt(10) < lookupsOfTen) {
              traffic.lookUp(1);
              model.lookups++;
            }
            boolean admit = decide(policy) == AdmissionDecision.ADMIT;
            assertThat(admit).as("%s at %d %%", traffic, percent).isEqualTo(!model.isHigh(percent));
            if (admit) {
              traffic.insert(1);
              model.operations++;
            }
            if (random.nextInt(20) == 0) {
              traffic.remove(1);
              model.operations++;
            }
          }
        });
  }

  @Test
  void shouldSettleJustUnderOnePointOverTheTarget() {
    AdmissionPolicy policy = policy();
    for (int i = 0; i < 100_000; i++) {
      traffic.lookUp(1);
      if (decide(policy) == AdmissionDecision.ADMIT) {
        traffic.insert(1);
      }
    }
    assertThat(policy.overhead().orElseThrow()).isBetween(0.1099, 0.1101);
  }

  /** Written from the published rule and nothing else. */
  private static final class NaiveOverhead {
    private long lookups;
    private long operations;

    NaiveOverhead(long lookups, long operations) {
      this.lookups = lookups;
      this.operations = operations;
    }

    boolean isHigh(int percent) {
      if (lookups == 0) {
        return true;
      }
      long wholePercent = 0;
      while ((wholePercent + 1) * lookups <= operations * 100) {
        wholePercent++;
      }
      return wholePercent > percent;
    }
  }
}
