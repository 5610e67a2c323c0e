// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.model.OneStep;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.ModelParameters;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the rivals do that others don't. */
class SystemsTest {
  private static final int BLOCK_BYTES = ModelParameters.PAPER.blockBytes();
  private static final int SCALE = 1000;
  private static final int BLOCKS = 300;

  private final ModelMachine machine =
      new ModelMachine(ModelParameters.PAPER, ModelParameters.PAPER.nvram());
  private final AtomicLong operations = new AtomicLong();

  static ModelSystem named(String name) {
    return Systems.all().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  private TierContext context() {
    return new TierContext(
        machine, SCALE, (long) BLOCKS * BLOCK_BYTES, 0, 1, operations::get, () -> 0);
  }

  private void passStoreSeconds(double seconds) {
    OneStep nobody = new OneStep();
    nobody.pay(machine.simulation().delay(), seconds / SCALE);
    nobody.settle(machine);
  }

  /** The part of so many blocks offered, all different, that a policy takes. */
  private static double admitted(AdmissionPolicy policy, int offers, Source source) {
    int taken = 0;
    for (int i = 0; i < offers; i++) {
      AdmissionDecision decision =
          policy.decide(Candidate.of(1, 2L * i * BLOCK_BYTES, BLOCK_BYTES, source));
      taken += decision == AdmissionDecision.ADMIT ? 1 : 0;
    }
    return (double) taken / offers;
  }

  @Test
  void shouldSteerToTheRateOfBytes() {
    double bytesPerSecond = 10e6;
    RandomToByteRate policy = new RandomToByteRate(context(), bytesPerSecond);
    double offersPerMinute = 4 * 60 * bytesPerSecond / SCALE / BLOCK_BYTES;
    double taken = 1;
    for (int minute = 0; minute < 40; minute++) {
      taken = admitted(policy, (int) offersPerMinute, Source.READ);
      passStoreSeconds(60);
    }

    assertThat(taken).as("a quarter of what is offered is what may be written").isBetween(0.1, 0.4);
  }

  @Test
  void shouldNotCountWhatTheCacheDidNotTakeTowardsTheRate() {
    RandomToByteRate policy = new RandomToByteRate(context(), 1e6);
    double taken = 0;
    for (int minute = 0; minute < 40; minute++) {
      taken = 0;
      for (int i = 0; i < 1000; i++) {
        if (policy.decide(Candidate.of(1, i, BLOCK_BYTES, Source.READ))
            == AdmissionDecision.ADMIT) {
          policy.refund(Candidate.of(1, i, BLOCK_BYTES, Source.READ));
          taken++;
        }
      }
      passStoreSeconds(60);
    }

    assertThat(taken).isEqualTo(1000);
  }

  @Test
  void shouldLearnThatReadsAreWorthTakingAndWritesAreNot() {
    AnnealedProbabilities policy = new AnnealedProbabilities(context());
    double reads = 0;
    double writes = 0;
    int trials = 300;
    for (int trial = 0; trial < trials; trial++) {
      double takenReads = admitted(policy, 100, Source.READ);
      double takenWrites = admitted(policy, 100, Source.FLUSH);
      operations.addAndGet((long) (1000 * (1 + takenReads - takenWrites)));
      if (trial >= trials / 2) {
        reads += takenReads / (trials / 2.0);
        writes += takenWrites / (trials / 2.0);
      }
      passStoreSeconds(20);
    }

    assertThat(reads).isGreaterThan(0.75);
    assertThat(writes).isLessThan(0.25);
  }

  @Test
  void shouldPassSequentialRunsByEvenWhereTheyInterleave() {
    SequentialBypass policy = new SequentialBypass();
    int taken = 0;
    for (int i = 0; i < 50; i++) {
      for (long start = 1; start <= 3; start++) {
        long offset = (start << 40) + (long) i * BLOCK_BYTES;
        taken +=
            policy.decide(Candidate.of(1, offset, BLOCK_BYTES, Source.READ))
                    == AdmissionDecision.ADMIT
                ? 1
                : 0;
      }
    }

    assertThat(taken).as("the first block of each run").isEqualTo(3);
    assertThat(admitted(new SequentialBypass(), 100, Source.READ)).isEqualTo(1);
  }

  private void fill(Tier tier, int places) {
    for (int place = 0; place < places; place++) {
      OneStep client = new OneStep();
      tier.fetched(place, Source.READ, client);
      client.settle(machine);
    }
  }

  private int hits(Tier tier, int places) {
    int hits = 0;
    for (int place = 0; place < places; place++) {
      OneStep client = new OneStep();
      hits += tier.read(place, client) ? 1 : 0;
      client.settle(machine);
    }
    return hits;
  }

  /** Five seconds in which the clients do so much. */
  private void step(OrthusTier tier, long done) {
    operations.addAndGet(done);
    for (int second = 0; second < 5; second++) {
      OneStep thread = new OneStep();
      tier.everySecond(thread);
      thread.settle(machine);
    }
  }

  @Test
  void shouldSendHitsToTheDiskWhileThatGivesMoreThroughputInOrthus() {
    try (OrthusTier tier = (OrthusTier) named("orthus").tier(context())) {
      fill(tier, 2 * BLOCKS);
      long inserted = tier.stats().blocks();
      step(tier, 0);
      fill(tier, 4 * BLOCKS);
      assertThat(tier.stats().blocks()).as("full, it takes none").isEqualTo(inserted);

      for (int i = 0; i < 60; i++) {
        double part = tier.diskPart();
        step(tier, (long) (1000 * (1 - Math.abs(part - 0.4))));
      }

      assertThat(tier.diskPart()).isBetween(0.25, 0.55);
      int all = (int) tier.stats().blocks();
      int hits = hits(tier, 2 * BLOCKS);
      assertThat((double) hits / all)
          .isCloseTo(1 - tier.diskPart(), org.assertj.core.data.Offset.offset(0.15));
    }
  }

  @Test
  void shouldTakeWhatLeavesMemoryAndNothingElseInRocksDb() {
    try (Tier tier = named("rocksdb-two-tier").tier(context())) {
      OneStep client = new OneStep();
      tier.fetched(1, Source.READ, client);
      tier.write(2, client);
      tier.pageLeft(3, client);
      client.settle(machine);

      assertThat(hits(tier, 5)).isEqualTo(1);
      assertThat(tier.read(3, new OneStep())).isTrue();
    }
  }

  @Test
  void shouldTakeWhatIsReadAgainInFlashield() {
    try (Tier tier = named("flashield").tier(context())) {
      fill(tier, 20);
      assertThat(hits(tier, 20)).isZero();
      fill(tier, 10);
      assertThat(hits(tier, 20)).isEqualTo(10);
    }
  }
}
