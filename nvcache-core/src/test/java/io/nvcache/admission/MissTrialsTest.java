// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class MissTrialsTest {
  private static final int CAPACITY = 4_096;

  private final MissTrials trials = new MissTrials(CAPACITY);

  /** A window that slides by one block every so many lookups; nothing is admitted. */
  private void drift(int window, int lookupsPerBlock, int lookups) {
    Random random = new Random(1);
    for (long now = 1; now <= lookups; now++) {
      long block = now / lookupsPerBlock + random.nextInt(window);
      long hash = DemandSketch.mix(block);
      if (!trials.ask(hash, now)) {
        trials.refused(hash, MissTrials.FIRST, now);
      }
      trials.advance(now);
    }
  }

  @Test
  void shouldForeseeManyLookupsWherePopularityMoves() {
    drift(CAPACITY / 2, 1_000, 100 * CAPACITY);
    assertThat(trials.forecast(MissTrials.FIRST)).isBetween(3.0, 5.0);
    assertThat(trials.forecast(MissTrials.SOON_AGAIN)).as("none seen").isEqualTo(1);
  }

  @Test
  void shouldForeseeNearlyNoneWhereBlocksAreReadOnce() {
    drift(1, 1, 100 * CAPACITY);
    assertThat(trials.forecast(MissTrials.FIRST)).isLessThan(0.1);
  }

  /** One block in four is looked up twelve times: to wait for the second costs one of them. */
  @Test
  void shouldNotPayForFirstMissesOfWhichFewComeAgain() {
    for (long block = 1; block <= 40 * CAPACITY; block++) {
      long hash = DemandSketch.mix(block);
      for (int lookup = 0; lookup < (block % 4 == 0 ? 12 : 1); lookup++) {
        if (!trials.ask(hash, block)) {
          trials.refused(hash, lookup == 0 ? MissTrials.FIRST : MissTrials.SOON_AGAIN, block);
        }
      }
      trials.advance(block);
    }
    assertThat(trials.forecast(MissTrials.FIRST)).isLessThan(0.6);
    assertThat(trials.forecast(MissTrials.SOON_AGAIN)).isGreaterThan(2);
  }

  @Test
  void shouldKeepFewOutOfThoseThatWouldBeAdmitted() {
    int out = 0;
    for (long now = 1; now <= 100 * CAPACITY; now++) {
      out += trials.keepsOut(DemandSketch.mix(now), MissTrials.FIRST, now) ? 1 : 0;
      trials.advance(now);
    }
    assertThat((double) out / (100 * CAPACITY)).isBetween(0.001, 0.01);
  }

  @Test
  void shouldEndATrialWhenTheBlockIsAdmitted() {
    long hash = DemandSketch.mix(7);
    long now = 1;
    while (!trials.keepsOut(hash, MissTrials.SOON_AGAIN, now)) {
      now++;
    }
    assertThat(trials.isKeptOut(hash, now)).isTrue();
    trials.admitted(hash, now + 1);
    assertThat(trials.isKeptOut(hash, now + 1)).isFalse();
  }
}
