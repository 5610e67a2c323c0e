// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.device.DeviceParameters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecommendationTest {
  private static final double NO_BOUND = 1;

  private static List<PointResult> points(DeviceParameters device, int readers, double halfWidth) {
    List<PointResult> points = new ArrayList<>();
    for (Point point : Point.upTo(readers, 2)) {
      double reads = device.allReaders(point.readers(), point.writers());
      points.add(
          new PointResult(
              point,
              new Estimate(reads, halfWidth * reads),
              new Estimate(device.allWriters(point.readers(), point.writers()), 0)));
    }
    return points;
  }

  private static DeviceParameters optaneTimes(double speed) {
    DeviceParameters optane = DeviceParameters.OPTANE;
    return new DeviceParameters(
        speed * optane.readBandwidth(),
        speed * optane.readerBandwidth(),
        speed * optane.writerBandwidth(),
        optane.fullSpeedWriters(),
        optane.writerCrowding(),
        1,
        1);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 8", "2, 4", "0.01, 8", "3, 16"})
  void shouldGiveThePapersMediumThePapersTargetWhateverItsSpeedAndReaders(
      double speed, int readers) {
    Recommendation rule = Recommendation.of(points(optaneTimes(speed), readers, 0.01), NO_BOUND);

    assertThat(rule.overheadTarget()).isEqualTo(0.10);
    assertThat(rule.isOff()).isFalse();
    assertThat(rule.readers()).isEqualTo(readers);
  }

  @Test
  void shouldAllowMoreWhereWritesHurtLess() {
    DeviceParameters optane = DeviceParameters.OPTANE;
    double before = 0;
    for (double coupling : new double[] {1.5, 1, 0.7, 0.5}) {
      DeviceParameters device =
          new DeviceParameters(12e9, 2.5e9, 0.6e9, 2, 0.2, coupling, coupling);
      Recommendation rule = Recommendation.of(points(device, 8, 0), NO_BOUND);
      assertThat(rule.overheadTarget())
          .isGreaterThan(before)
          .isCloseTo(0.10 * optane.harm(8) / device.harm(8), within(0.0051));
      before = rule.overheadTarget();
    }
  }

  @Test
  void shouldBeOffWhereALookupCantBringAsManyWritesAsTheTarget() {
    DeviceParameters dram = new DeviceParameters(80e9, 10e9, 8e9, 8, 0, 0.18, 0.18);

    Recommendation rule = Recommendation.of(points(dram, 8, 0), NO_BOUND);

    assertThat(rule.isOff()).isTrue();
    assertThat(rule.overheadTarget()).isEqualTo(10);
    assertThat(rule.reason()).contains("too few to bound writes for");
  }

  @Test
  void shouldBeOffWhereTheLossIsWithinTheNoise() {
    DeviceParameters dram = new DeviceParameters(80e9, 10e9, 8e9, 8, 0, 0.01, 0.01);

    Recommendation rule = Recommendation.of(points(dram, 8, 0.01), NO_BOUND);

    assertThat(rule.isOff()).isTrue();
    assertThat(rule.reason()).contains("nothing from the readers beyond the noise");
  }

  @ParameterizedTest
  @CsvSource({"1, 0.10", "0.05, 0.01"})
  void shouldNotTakeNoiseForAMediumThatBearsWrites(double maxReadLoss, double target) {
    Recommendation rule = Recommendation.of(points(optaneTimes(1), 8, 0.8), maxReadLoss);

    assertThat(rule.isOff()).isFalse();
    assertThat(rule.overheadTarget()).isEqualTo(target);
    assertThat(rule.reason()).contains("the noise hides what a writer takes");
  }

  @Test
  void shouldSayThatAWriterNeverHadItsTurn() {
    List<PointResult> starved =
        points(optaneTimes(1), 8, 0).stream()
            .map(seen -> new PointResult(seen.point(), seen.reads(), new Estimate(0, 0)))
            .toList();

    Recommendation rule = Recommendation.of(starved, NO_BOUND);

    assertThat(rule.isOff()).isFalse();
    assertThat(rule.overheadTarget()).isEqualTo(0.10);
    assertThat(rule.harm()).isNaN();
    assertThat(rule.reason()).contains("the writer never had its turn");
  }

  @Test
  void shouldBeOffWhereReadersGainFromAWriter() {
    DeviceParameters none = new DeviceParameters(12e9, 2.5e9, 0.6e9, 2, 0.2, 0, 0);

    Recommendation rule = Recommendation.of(points(none, 8, 0), NO_BOUND);

    assertThat(rule.isOff()).isTrue();
    assertThat(rule.harm()).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.3, 0.5})
  void shouldKeepTheWorstLossWithinItsBound(double maxReadLoss) {
    DeviceParameters device = new DeviceParameters(12e9, 2.5e9, 0.6e9, 2, 0.2, 0.2, 0.2);
    double unbounded = Recommendation.of(points(device, 8, 0), NO_BOUND).overheadTarget();

    Recommendation rule = Recommendation.of(points(device, 8, 0), maxReadLoss);

    assertThat(rule.overheadTarget()).isLessThanOrEqualTo(unbounded);
    assertThat(worstLoss(rule.overheadTarget(), rule.harm())).isLessThanOrEqualTo(maxReadLoss);
    assertThat(worstLoss(rule.overheadTarget() + 0.01, rule.harm())).isGreaterThan(maxReadLoss);
  }

  private static double worstLoss(double target, double harm) {
    return 1 - 1 / (1 + target * harm);
  }

  @Test
  void shouldNotGoBelowOnePercent() {
    DeviceParameters bad = new DeviceParameters(12e9, 2.5e9, 0.01e9, 1, 0.2, 5, 5);

    assertThat(Recommendation.of(points(bad, 8, 0), 0.01).overheadTarget()).isEqualTo(0.01);
  }
}
