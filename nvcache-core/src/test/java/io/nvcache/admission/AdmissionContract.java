// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import io.nvcache.VictimPricing;
import io.nvcache.testing.ManualTraffic;
import io.nvcache.testing.MutableDataSet;
import io.nvcache.testing.MutableSettings;
import io.nvcache.testing.Race;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What every admission policy owes the engine. */
public abstract class AdmissionContract {
  protected static final int LENGTH_BYTES = 4_096;

  protected final ManualTraffic traffic = new ManualTraffic();
  protected final MutableDataSet dataSet = new MutableDataSet();
  protected final MutableSettings settings = new MutableSettings();

  /** The policy under test. */
  protected abstract AdmissionFactory factory();

  protected final AdmissionContext context(double removalWeight) {
    return context(traffic, removalWeight, 1_000, VictimPricing.UNPRICED);
  }

  protected final AdmissionContext context(
      Traffic counts, double removalWeight, long capacityBlocks, VictimPricing residents) {
    return context(counts, removalWeight, 0, capacityBlocks, residents);
  }

  protected final AdmissionContext context(
      Traffic counts,
      double removalWeight,
      double writeHarm,
      long capacityBlocks,
      VictimPricing residents) {
    return new AdmissionContext(
        counts,
        dataSet,
        settings,
        settings::overheadTarget,
        removalWeight,
        writeHarm,
        capacityBlocks,
        LENGTH_BYTES,
        residents,
        0);
  }

  protected final AdmissionPolicy policy() {
    return factory().create(context(0));
  }

  protected static AdmissionDecision decide(AdmissionPolicy policy) {
    return decide(policy, Source.READ);
  }

  protected static AdmissionDecision decide(AdmissionPolicy policy, Source source) {
    return policy.decide(block(source));
  }

  private static Candidate block(Source source) {
    return Candidate.of(1, 0, LENGTH_BYTES, source);
  }

  /** Refunds a block to a policy that keeps no receipts. */
  protected static void takeBack(AdmissionPolicy policy) {
    policy.refund(block(Source.READ));
  }

  /** Has the policy decide on a candidate, and refund it if it is admitted. */
  protected static AdmissionDecision decideAndRefund(AdmissionPolicy policy, Source source) {
    Candidate candidate = block(source);
    AdmissionDecision decision = policy.decide(candidate);
    if (decision == AdmissionDecision.ADMIT) {
      policy.refund(candidate);
    }
    return decision;
  }

  @Test
  void shouldAdmitAReadWhenNothingSpeaksAgainstIt() {
    AdmissionPolicy policy = policy();
    traffic.lookUp(1_000);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.ADMIT);
    assertThat(policy.mayEvict()).isTrue();
  }

  @Test
  void shouldNotLoseBudgetToAdmissionsTakenBack() {
    AdmissionPolicy policy = policy();
    traffic.lookUp(1_000);
    for (int i = 0; i < 10_000; i++) {
      assertThat(decideAndRefund(policy, Source.READ)).isEqualTo(AdmissionDecision.ADMIT);
    }
  }

  @Test
  void shouldNeverReportNegativeOverhead() {
    AdmissionPolicy policy = policy();
    policy.overhead().ifPresent(this::isRatio);
    traffic.lookUp(1_000);
    for (int i = 0; i < 50 && decide(policy) == AdmissionDecision.ADMIT; i++) {
      traffic.insert(1);
    }
    traffic.remove(10);
    policy.overhead().ifPresent(this::isRatio);
  }

  private void isRatio(double overhead) {
    assertThat(overhead).isBetween(0.0, 1.0);
  }

  @Test
  void shouldServeManyThreads() throws Exception {
    AdmissionPolicy policy = policy();
    AtomicLong answers = new AtomicLong();
    int threads = 4;
    int callsEach = 20_000;
    Source[] sources = Source.values();
    Race.run(
        threads,
        thread -> {
          for (int i = 0; i < callsEach; i++) {
            traffic.lookUp(1);
            Source source = sources[i % sources.length];
            boolean refunded = i % 3 == 0;
            AdmissionDecision decision =
                refunded ? decideAndRefund(policy, source) : decide(policy, source);
            if (decision == AdmissionDecision.ADMIT && !refunded) {
              traffic.insert(1);
            }
            policy.mayEvict();
            if (decision != null && policy.overhead().orElse(0) >= 0) {
              answers.incrementAndGet();
            }
          }
        });
    assertThat(answers).hasValue((long) threads * callsEach);
    traffic.lookUp(1_000_000);
    assertThat(decide(policy)).isEqualTo(AdmissionDecision.ADMIT);
  }
}
