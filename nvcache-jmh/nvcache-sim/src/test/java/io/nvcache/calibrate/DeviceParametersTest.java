// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.device.NvramSpeeds;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class DeviceParametersTest {
  /** The emulated medium has its own statement of the same model. */
  @Test
  void shouldHaveTheEmulatedMediumsSpeedsForThePapersModules() {
    NvramSpeeds speeds = new NvramSpeeds(1);
    for (int readers = 1; readers <= 16; readers++) {
      for (int writers = 0; writers <= 16; writers++) {
        assertThat(DeviceParameters.OPTANE.allReaders(readers, writers))
            .isCloseTo(
                readers * speeds.readerBytesPerSecond(readers, writers),
                Percentage.withPercentage(1e-6));
        if (writers > 0) {
          assertThat(DeviceParameters.OPTANE.allWriters(readers, writers))
              .isCloseTo(
                  writers * speeds.writerBytesPerSecond(readers, writers),
                  Percentage.withPercentage(1e-6));
        }
      }
    }
  }

  /** SoCC '22, §2.1: 12, 3.4 and 0.8 GB/s of eight readers next to no, one and eight writers. */
  @Test
  void shouldGiveThePapersFigures() {
    Percentage tenth = Percentage.withPercentage(10);
    assertThat(DeviceParameters.OPTANE.allReaders(8, 0)).isCloseTo(12e9, tenth);
    assertThat(DeviceParameters.OPTANE.allReaders(8, 1)).isCloseTo(3.4e9, tenth);
    assertThat(DeviceParameters.OPTANE.allReaders(8, 8)).isCloseTo(0.8e9, tenth);
  }
}
