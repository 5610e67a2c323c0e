// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunSettingsTest {
  /** Of ten rounds, of which three are warm-up. */
  @ParameterizedTest
  @CsvSource({"0, ''", "1, 10", "2, 7 10", "3, 6 8 10", "7, 4 5 6 7 8 9 10", "100, 4 5 6 7 8 9 10"})
  void shouldDivideWhatIsMeasuredIntoWindowsOfWholeRounds(int windows, String lastRounds) {
    RunSettings run = new RunSettings(1, Duration.ZERO, 100, 0.3, 10, 1, windows);

    List<Integer> ends = IntStream.rangeClosed(1, 10).filter(run::endsWindow).boxed().toList();

    assertThat(ends)
        .isEqualTo(
            Arrays.stream(lastRounds.split(" "))
                .filter(round -> !round.isEmpty())
                .map(Integer::valueOf)
                .toList());
  }
}
