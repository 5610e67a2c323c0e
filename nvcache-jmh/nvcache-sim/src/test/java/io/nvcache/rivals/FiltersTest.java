// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import io.nvcache.VictimPricing;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.rivals.Rival.Policies;
import io.nvcache.rivals.TinyLfu.FrequencySketch;
import io.nvcache.testing.ManualTraffic;
import io.nvcache.testing.MutableDataSet;
import io.nvcache.testing.MutableSettings;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FiltersTest {
  private static final int CAPACITY = 100;

  private final ManualTraffic traffic = new ManualTraffic();
  private final MutableSettings settings = new MutableSettings();

  private AdmissionContext context() {
    return new AdmissionContext(
        traffic,
        new MutableDataSet(),
        settings,
        settings::overheadTarget,
        1,
        0,
        CAPACITY,
        4096,
        VictimPricing.UNPRICED,
        0);
  }

  private static boolean admits(AdmissionPolicy policy, long block) {
    return policy.decide(Candidate.of(1, block, 4096, Source.READ)) == AdmissionDecision.ADMIT;
  }

  @Test
  void shouldRejectFirstAndAdmitAgainWithinTheWindow() {
    AdmissionPolicy policy = new RejectFirst(context());
    assertThat(admits(policy, 0)).isFalse();
    assertThat(admits(policy, 0)).isTrue();
    for (long other = 1; other <= CAPACITY; other++) {
      assertThat(admits(policy, other)).isFalse();
    }
    assertThat(admits(policy, 0)).isFalse();
    assertThat(admits(policy, CAPACITY)).isTrue();
  }

  @Test
  void shouldAdmitAtTheSecondMissWithinHalfTheCache() {
    AdmissionPolicy policy = new TwoHit(context());
    assertThat(admits(policy, 0)).isFalse();
    for (long other = 1; other < CAPACITY / 2; other++) {
      assertThat(admits(policy, other)).isFalse();
    }
    assertThat(admits(policy, 0)).isTrue();
    assertThat(admits(policy, CAPACITY)).isFalse();
    assertThat(admits(policy, 1)).isFalse();
    assertThat(admits(policy, 0)).isTrue();
  }

  @Test
  void shouldAdmitByLotAsOftenAsAsked() {
    AdmissionPolicy policy = new StaticProbability(0.1, 7);
    int admitted = 0;
    for (int i = 0; i < 100_000; i++) {
      admitted += admits(policy, i) ? 1 : 0;
    }
    assertThat(admitted).isBetween(9_700, 10_300);
  }

  @Test
  void shouldSteerByLotToTheTarget() {
    AdmissionPolicy policy = new DynamicRandom(context(), 7);
    int admitted = 0;
    for (int i = 0; i < 400_000; i++) {
      traffic.lookUp(1);
      admitted += admits(policy, i) && i >= 200_000 ? 1 : 0;
    }
    // An insert and its removal cost two writes, and the target is 10 %.
    assertThat(admitted / 200_000.0).isBetween(0.04, 0.06);
  }

  @Test
  void shouldPreferWhatWasSeenMoreOftenThanTheVictim() {
    MiniCache cache = new MiniCache(10, TinyLfu.pair());
    for (int round = 0; round < 3; round++) {
      for (long block = 0; block < 10; block++) {
        cache.request(block);
      }
    }
    assertThat(cache.request(50)).isFalse(); // The cache is full, but nobody knows yet:
    cache.request(50); // the first block beyond its size finds that out.
    for (int i = 0; i < 2; i++) {
      assertThat(cache.request(99)).isFalse();
    }
    int seen = 2;
    while (!cache.request(99)) {
      seen++;
      assertThat(seen).isLessThan(8);
    }
    assertThat(seen).isGreaterThanOrEqualTo(3);
    assertThat(cache.size()).isEqualTo(10);
  }

  @Test
  void shouldHalveFrequencies() {
    FrequencySketch sketch = new FrequencySketch(100);
    for (int i = 0; i < 12; i++) {
      sketch.count(42);
    }
    assertThat(sketch.frequency(42)).isEqualTo(12);
    for (int i = 0; i < 20; i++) {
      sketch.count(43);
    }
    assertThat(sketch.frequency(43)).isEqualTo(15);
    for (int i = 0; i < 1_000 - 32; i++) {
      sketch.count(44);
    }
    assertThat(sketch.frequency(42)).isEqualTo(6);
  }

  static java.util.List<Rival> rivals() {
    return Rival.all();
  }

  @ParameterizedTest
  @MethodSource("rivals")
  void shouldStayWithinTheBudgetWhenGated(Rival rival) {
    MiniCache cache = new MiniCache(CAPACITY, rival.gatedPair(3));
    cache.settings.setOverheadTarget(0.10);
    Random random = new Random(5);
    for (int i = 1; i <= 50_000; i++) {
      cache.request((long) (random.nextDouble() * random.nextDouble() * 1_000));
      long writes = cache.traffic.insertedBlocks() + cache.traffic.removedBlocks();
      // One more admission may begin just below the target.
      assertThat(writes).isLessThanOrEqualTo((long) (0.10 * i) + 2);
    }
    assertThat(cache.traffic.insertedBlocks()).isGreaterThan(CAPACITY);
  }

  @ParameterizedTest
  @MethodSource("rivals")
  void shouldSurviveInvalidations(Rival rival) {
    MiniCache cache = new MiniCache(CAPACITY, rival.pair(3));
    Random random = new Random(6);
    int hits = 0;
    for (int i = 0; i < 20_000; i++) {
      long block = (long) (random.nextDouble() * random.nextDouble() * 400);
      if (random.nextInt(10) == 0) {
        cache.invalidate(block);
      } else {
        hits += cache.request(block) ? 1 : 0;
      }
    }
    assertThat(hits).isPositive();
  }

  @ParameterizedTest
  @MethodSource("rivals")
  void shouldTakeNoWrittenBlocks(Rival rival) {
    Policies pair = rival.pair(1);
    new MiniCache(CAPACITY, pair);
    AdmissionPolicy policy = pair.admission().create(context());
    for (int i = 0; i < 3; i++) {
      assertThat(policy.decide(Candidate.of(1, 0, 4096, Source.FLUSH)))
          .isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    }
  }
}
