// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CompactionChoiceTest {
  @Test
  void shouldWaitUntilTooManyRunsOverlap() {
    assertThat(CompactionChoice.newestRuns(List.of(), 2)).isZero();
    assertThat(CompactionChoice.newestRuns(List.of(1L, 1L, 100L), 3)).isZero();
  }

  @Test
  void shouldMergeRunsOfLikeLengthAndSpareTheLongOnes() {
    assertThat(CompactionChoice.newestRuns(List.of(10L, 11L, 25L, 1000L), 3)).isEqualTo(3);
    assertThat(CompactionChoice.newestRuns(List.of(10L, 11L, 26L, 1000L), 3)).isEqualTo(2);
  }

  @Test
  void shouldMergeAtLeastTwo() {
    assertThat(CompactionChoice.newestRuns(List.of(1L, 10L, 100L, 1000L), 3)).isEqualTo(2);
  }

  @Test
  void shouldMergeEverythingWhenTheUpdatesMatchTheRest() {
    assertThat(CompactionChoice.newestRuns(List.of(50L, 50L, 100L), 2)).isEqualTo(3);
  }
}
