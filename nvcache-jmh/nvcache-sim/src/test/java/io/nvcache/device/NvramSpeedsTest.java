// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NvramSpeedsTest {
  private final NvramSpeeds speeds = new NvramSpeeds(1);

  /** SoCC '22, Fig. 2: eight readers next to 0, 1 and 8 writers. */
  @ParameterizedTest
  @CsvSource({"0, 12e9", "1, 3.4e9", "8, 0.8e9"})
  void shouldMeetReadBandwidthOfThePaper(int writers, double paper) {
    double readers = 8 * speeds.readerBytesPerSecond(8, writers);

    assertThat(readers).isCloseTo(paper, within(paper * 0.1));
  }

  /** SoCC '22, Fig. 1: writes peak at one writer per DIMM, then decline. */
  @Test
  void shouldPeakAtOneWriterPerDimmAndDeclineAfterwards() {
    double one = allWriters(1);
    double two = allWriters(2);

    assertThat(two).isCloseTo(2 * one, within(1.0));
    double before = two;
    for (int writers = 3; writers <= 16; writers++) {
      assertThat(allWriters(writers)).as("%d writers", writers).isLessThan(before);
      before = allWriters(writers);
    }
  }

  @Test
  void shouldSlowReadersWithEveryWriter() {
    for (int writers = 1; writers <= 16; writers++) {
      double with = speeds.readerBytesPerSecond(8, writers);
      double without = speeds.readerBytesPerSecond(8, writers - 1);

      assertThat(with).as("%d writers", writers).isLessThanOrEqualTo(without);
    }
  }

  @Test
  void shouldCapOneReader() {
    assertThat(speeds.readerBytesPerSecond(1, 0)).isEqualTo(2.5e9);
  }

  @Test
  void shouldScaleBothClasses() {
    NvramSpeeds tenth = new NvramSpeeds(0.1);

    assertThat(tenth.readerBytesPerSecond(3, 2))
        .isCloseTo(speeds.readerBytesPerSecond(3, 2) / 10, within(1.0));
    assertThat(tenth.writerBytesPerSecond(3, 2))
        .isCloseTo(speeds.writerBytesPerSecond(3, 2) / 10, within(1.0));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 0.0009, 1001, Double.NaN})
  void shouldRefuseSenselessScale(double scale) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NvramSpeeds(scale))
        .withMessage("scale is " + scale + "; it must be between 0.001 and 1000.0");
  }

  private double allWriters(int writers) {
    return writers * speeds.writerBytesPerSecond(0, writers);
  }
}
