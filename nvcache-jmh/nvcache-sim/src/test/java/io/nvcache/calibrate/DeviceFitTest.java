// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.device.NvramSpeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fit finds what the measurements were made from. */
class DeviceFitTest {
  private static List<PointResult> measured(DeviceParameters device, double noise, int most) {
    SplittableRandom random = new SplittableRandom(0xf17L);
    List<PointResult> results = new ArrayList<>();
    for (Point point : Point.upTo(most, most)) {
      results.add(
          new PointResult(
              point,
              estimate(device.allReaders(point.readers(), point.writers()), noise, random),
              estimate(device.allWriters(point.readers(), point.writers()), noise, random)));
    }
    return results;
  }

  private static Estimate estimate(double value, double noise, SplittableRandom random) {
    return new Estimate(value * (1 + noise * (2 * random.nextDouble() - 1)), 0);
  }

  private static void assertClose(DeviceParameters found, DeviceParameters real, double percent) {
    Percentage close = Percentage.withPercentage(percent);
    assertThat(found.readBandwidth()).isCloseTo(real.readBandwidth(), close);
    assertThat(found.readerBandwidth()).isCloseTo(real.readerBandwidth(), close);
    assertThat(found.writerBandwidth()).isCloseTo(real.writerBandwidth(), close);
    assertThat(found.fullSpeedWriters()).isEqualTo(real.fullSpeedWriters());
    assertThat(found.writerCrowding()).isCloseTo(real.writerCrowding(), within(percent / 100));
    assertThat(found.readsSlowedByWrites())
        .isCloseTo(real.readsSlowedByWrites(), within(percent / 50));
    assertThat(found.writesSlowedByReads())
        .isCloseTo(real.writesSlowedByReads(), within(percent / 50));
  }

  @ParameterizedTest
  @CsvSource({
    "12e9, 2.5e9, 0.6e9, 2, 0.2, 1, 1",
    "12e9, 2.5e9, 0.6e9, 1, 0.5, 1, 0.3",
    "60e9, 10e9, 6e9, 4, 0, 0.1, 0.5",
    "0.5e9, 0.4e9, 0.3e9, 8, 0, 2, 1.5"
  })
  void shouldFindTheParametersOfADevice(
      double all, double reader, double writer, int full, double k, double s, double t) {
    DeviceParameters real = new DeviceParameters(all, reader, writer, full, k, s, t);

    DeviceFit exact = DeviceFit.of(measured(real, 0, 8));
    assertClose(exact.parameters(), real, 1);
    assertThat(exact.error()).isLessThan(0.002);

    DeviceFit noisy = DeviceFit.of(measured(real, 0.03, 8));
    assertClose(noisy.parameters(), real, 12);
    assertThat(noisy.error()).isBetween(0.001, 0.03);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shouldExplainFewThreadsToo(int most) {
    List<PointResult> few = measured(DeviceParameters.OPTANE, 0, most);

    DeviceFit fit = DeviceFit.of(few);

    assertThat(fit.error()).isLessThan(0.01);
    assertThat(fit.parameters().harm(most))
        .isCloseTo(DeviceParameters.OPTANE.harm(most), Percentage.withPercentage(2));
  }

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

  @Test
  void shouldReportAMediumThatBehavesOtherwise() {
    List<PointResult> odd = new ArrayList<>();
    double sign = 1;
    for (PointResult result : measured(DeviceParameters.OPTANE, 0, 8)) {
      sign = -sign;
      double factor = Math.exp(sign);
      odd.add(
          new PointResult(
              result.point(),
              new Estimate(result.reads().mean() * factor, 0),
              new Estimate(result.writes().mean() / factor, 0)));
    }

    assertThat(DeviceFit.of(odd).error()).isGreaterThan(0.25);
  }
}
