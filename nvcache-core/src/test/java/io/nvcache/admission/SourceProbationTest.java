// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.Source;
import io.nvcache.testing.Seeds;
import org.junit.jupiter.api.Test;

final class SourceProbationTest {
  private static final int CAPACITY = 1_000;

  private final SourceProbation trials = new SourceProbation(CAPACITY);

  private static long block(long number) {
    return new BlockHash(0).of(7, number);
  }

  @Test
  void shouldExpectNothingBeforeItKnows() {
    for (Source source : Source.values()) {
      if (source != Source.READ) {
        assertThat(trials.meanAsked(source)).isZero();
      }
    }
    assertThat(trials.ask(block(1), 0)).isFalse();
  }

  @Test
  void shouldNeverTryABlockThatIsAskedFor() {
    assertThatThrownBy(() -> trials.isOnTrial(Source.READ, block(1), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldKeepOutFewBlocksAndForTwoCapacitiesOfLookups() {
    int started = 0;
    long onTrial = -1;
    for (int number = 0; number < 1_000; number++) {
      if (trials.isOnTrial(Source.FLUSH, block(number), 0)) {
        started++;
        onTrial = number;
      }
    }
    assertThat(started).isBetween(15, 90);
    assertThat(trials.isOnTrial(Source.FLUSH, block(onTrial), 2 * CAPACITY - 1)).isTrue();
    assertThat(trials.ask(block(onTrial), 2 * CAPACITY - 1)).isTrue();
    assertThat(trials.ask(block(onTrial), 2 * CAPACITY)).isFalse();
  }

  @Test
  void shouldLearnWhatEachSourceIsWorth() {
    Seeds.each(
        5,
        random -> {
          SourceProbation learning = new SourceProbation(CAPACITY);
          Source[] sources = {Source.FLUSH, Source.COMPACTION, Source.PREFETCH, Source.SCAN};
          for (int number = 0; number < 40_000; number++) {
            long now = number * 4L;
            int kind = random.nextInt(sources.length);
            long hash = block(number);
            if (learning.isOnTrial(sources[kind], hash, now)) {
              int asked = kind == 3 ? 0 : random.nextInt(4 * (kind + 1) - 1);
              for (int times = 0; times < asked; times++) {
                assertThat(learning.ask(hash, now + times)).isTrue();
              }
            }
          }
          assertThat(learning.meanAsked(Source.FLUSH)).isCloseTo(1, within(0.5));
          assertThat(learning.meanAsked(Source.COMPACTION)).isCloseTo(3, within(1.0));
          assertThat(learning.meanAsked(Source.PREFETCH)).isCloseTo(5, within(1.5));
          assertThat(learning.meanAsked(Source.SCAN)).isZero();
        });
  }

  @Test
  void shouldForgetWhatASourceWasWorth() {
    for (int number = 0; number < 60_000; number++) {
      long now = number * 4L;
      if (trials.isOnTrial(Source.FLUSH, block(number), now) && number < 30_000) {
        trials.ask(block(number), now);
      }
    }
    assertThat(trials.meanAsked(Source.FLUSH)).isLessThan(0.05);
  }
}
