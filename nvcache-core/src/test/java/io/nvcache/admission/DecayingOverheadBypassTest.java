// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.VictimPricing;
import io.nvcache.testing.ManualTraffic;
import io.nvcache.testing.Race;
import io.nvcache.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecayingOverheadBypassTest extends AdmissionContract {
  private static final double ROUNDING = 1e-6;

  @Override
  protected AdmissionFactory factory() {
    return DecayingOverheadBypass::new;
  }

  private static boolean admits(AdmissionPolicy policy) {
    return decide(policy) == AdmissionDecision.ADMIT;
  }

  @Test
  void shouldRefuseBeforeTheFirstLookup() {
    AdmissionPolicy policy = policy();
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
    assertThat(policy.overhead()).hasValue(0);
  }

  @Test
  void shouldAdmitNothingAtTargetZero() {
    AdmissionPolicy policy = policy();
    settings.setOverheadTarget(0);
    traffic.lookUp(1_000_000);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
  }

  @Test
  void shouldAdmitTheFirstBlockOnceTheLookupsPayForIt() {
    AdmissionPolicy policy = new DecayingOverheadBypass(context(0), 1e9);
    int lookups = 0;
    do {
      traffic.lookUp(1);
      lookups++;
    } while (!admits(policy));
    assertThat(lookups).isBetween(10, 11);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1, 3})
  void shouldChargeTheRemovalWithTheInsert(double weight) {
    AdmissionPolicy policy = new DecayingOverheadBypass(context(weight), 1e9);
    traffic.lookUp(100_000);
    int admitted = 0;
    while (admits(policy)) {
      admitted++;
    }
    assertThat(admitted).isBetween((int) (9_995 / (1 + weight)), (int) (10_000 / (1 + weight)));
  }

  /** The guarantee: whatever happens, by the highest target set so far. */
  @Test
  void shouldKeepCumulativeWritesWithinTheTarget() {
    Seeds.each(
        300,
        random -> {
          ManualTraffic counts = new ManualTraffic();
          double weight = random.nextBoolean() ? 0 : random.nextInt(5) / 2.0;
          AdmissionContext context =
              context(counts, weight, 1 + random.nextInt(5_000), VictimPricing.UNPRICED);
          AdmissionPolicy policy =
              new DecayingOverheadBypass(context, 1 + random.nextInt(5_000) * random.nextDouble());
          double target = random.nextDouble();
          settings.setOverheadTarget(target);
          double highest = target;
          long pending = 0;
          for (int step = 0; step < 3_000; step++) {
            switch (random.nextInt(8)) {
              case 0, 1 -> counts.lookUp(random.nextInt(10));
              case 2 -> counts.lookUp(random.nextInt(random.nextInt(50) == 0 ? 20_000 : 100));
              case 3 -> {
                long resident = counts.insertedBlocks() - counts.removedBlocks();
                counts.remove(Math.min(resident, random.nextInt(50)));
              }
              case 4 -> {
                if (random.nextInt(100) == 0) {
                  target = random.nextInt(5) == 0 ? 0 : random.nextDouble();
                  highest = Math.max(highest, target);
                  settings.setOverheadTarget(target);
                }
              }
              default -> {
                while (admits(policy) && random.nextInt(5) > 0) {
                  pending++;
                }
              }
            }
            // Decided blocks are written, or not, at any later time.
            while (pending > 0 && random.nextInt(3) > 0) {
              pending--;
              if (random.nextInt(4) == 0) {
                takeBack(policy);
              } else {
                counts.insert(1);
              }
            }
            double writes = counts.insertedBlocks() + weight * counts.removedBlocks();
            assertThat(writes)
                .as("%s, removal weight %s, highest target %s", counts, weight, highest)
                .isLessThanOrEqualTo(highest * counts.lookups() + ROUNDING);
          }
        });
  }

  @Test
  void shouldKeepTheGuaranteeWhenDecidersRace() throws Exception {
    AdmissionPolicy policy = new DecayingOverheadBypass(context(0), 1e9);
    AtomicLong worst = new AtomicLong();
    Race.run(
        4,
        thread -> {
          for (int i = 0; i < 50_000; i++) {
            if (i % 4 == thread) {
              traffic.lookUp(1);
            }
            if (admits(policy)) {
              if (i % 7 == 0) {
                takeBack(policy);
              } else {
                traffic.insert(1);
              }
            }
            // Inserts first: lookups only grow meanwhile.
            long inserts = traffic.insertedBlocks();
            worst.accumulateAndGet(inserts * 10 - traffic.lookups(), Math::max);
          }
        });
    assertThat(worst.get()).isLessThanOrEqualTo(0);
    assertThat(traffic.insertedBlocks()).isGreaterThan(traffic.lookups() / 10 - 10);
  }

  @Test
  void shouldMakeTheDecisionsOfANaiveModel() {
    Seeds.each(
        40,
        random -> {
          ManualTraffic counts = new ManualTraffic();
          AdmissionContext context = context(counts, 0, 1, VictimPricing.UNPRICED);
          double target = 0.02 + 0.3 * random.nextDouble();
          settings.setOverheadTarget(target);
          double halfLife = 16 / target + random.nextInt(2_000);
          AdmissionPolicy policy = new DecayingOverheadBypass(context, halfLife);
          NaiveDecay model = new NaiveDecay(halfLife);
          for (int step = 0; step < 500; step++) {
            int lookups = random.nextInt(8);
            counts.lookUp(lookups);
            model.lookUp(lookups);
            double room = target * model.lookups() - model.writes() - 1;
            boolean admit = admits(policy);
            if (Math.abs(room) > ROUNDING) {
              assertThat(admit).as("room for %s more at %s", room, counts).isEqualTo(room >= 0);
            }
            if (admit) {
              model.write();
            }
            assertThat(policy.overhead().orElseThrow())
                .isCloseTo(
                    model.writes() == 0 ? 0 : model.writes() / model.lookups(), within(ROUNDING));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-5, 1e-4, 1e-3, 0.01, 0.1, 1})
  void shouldSpendNearlyAllOfItsBudgetOnSteadyDemand(double target) {
    AdmissionPolicy policy = new DecayingOverheadBypass(context(1), 1_000);
    settings.setOverheadTarget(target);
    long admitted = 0;
    int lookups = 2_000_000;
    for (int i = 0; i < lookups; i++) {
      traffic.lookUp(1);
      admitted += admits(policy) ? 1 : 0;
    }
    assertThat(2.0 * admitted / lookups).isBetween(0.85 * target, target);
  }

  @Test
  void shouldSaveUpNoMoreThanPartOfTheCacheWhileIdle() {
    AdmissionPolicy policy = policy(); // 1000 blocks: a half-life of 2000 lookups.
    traffic.lookUp(10_000_000);
    int admitted = 0;
    while (admits(policy)) {
      admitted++;
    }
    assertThat(admitted).isCloseTo((int) (0.10 * 2_000 / Math.log(2)), within(2));
  }

  @Test
  void shouldStayOpenWhenAFileOfManyBlocksGoes() {
    AdmissionPolicy policy = new DecayingOverheadBypass(context(1));
    for (int i = 0; i < 50_000; i++) {
      traffic.lookUp(1);
      if (admits(policy)) {
        traffic.insert(1);
      }
    }
    traffic.remove(traffic.insertedBlocks()).lookUp(100);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.ADMIT);
  }

  @Test
  void shouldHoldBackEvictionUntilAnOldHigherTargetHasFaded() {
    AdmissionPolicy policy = policy();
    traffic.lookUp(2_000);
    while (admits(policy)) {
      traffic.insert(1);
    }
    assertThat(policy.mayEvict()).isTrue();
    settings.setOverheadTarget(0.05);
    assertThat(policy.mayEvict()).isFalse();
    assertThat(policy.overhead().orElseThrow()).isCloseTo(0.10, within(0.001));
    traffic.lookUp(4_000);
    assertThat(policy.mayEvict()).isTrue();
  }

  @Test
  void shouldRefuseAHalfLifeThatIsNotPositive() {
    assertThatThrownBy(() -> new DecayingOverheadBypass(context(0), Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("NaN")
        .hasMessageContaining("more than 0");
  }

  /** Sums over all writes and lookups, each aged by itself. */
  private static final class NaiveDecay {
    private final double halfLife;
    private final List<Long> writtenAt = new ArrayList<>();
    private long now;

    NaiveDecay(double halfLife) {
      this.halfLife = halfLife;
    }

    void lookUp(int count) {
      now += count;
    }

    void write() {
      writtenAt.add(now);
    }

    double lookups() {
      double sum = 0;
      for (long age = 0; age < now; age++) {
        sum += weight(age);
      }
      return sum;
    }

    double writes() {
      return writtenAt.stream().mapToDouble(at -> weight(now - at)).sum();
    }

    private double weight(long age) {
      return Math.pow(2, -age / halfLife);
    }
  }
}
