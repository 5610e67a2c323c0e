// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.calibrate.Bench.Throughput;
import io.nvcache.calibrate.CalibrationRun.Settings;
import io.nvcache.device.DeviceParameters;
import io.nvcache.device.EmulatedNvramMedium;
import io.nvcache.device.NvramSpeeds;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CalibrationRunTest {
  private static final DeviceParameters DRAM =
      new DeviceParameters(80e9, 10e9, 8e9, 8, 0, 0.18, 0.18);

  private final List<Long> steps = new ArrayList<>();
  private final StopSignal stop = new StopSignal();

  private static Settings settings(int threads, int rounds) {
    return new Settings(threads, threads, 4096, 1 << 20, Duration.ofMillis(100), rounds, 1);
  }

  private Progress progress(int stopAtStep) {
    return (name, count) ->
        new Progress.Phase() {
          @Override
          public void at(long step, String note) {
            assertThat(step).isBetween(1L, count);
            if (name.equals("measure")) {
              steps.add(step);
              if (step == stopAtStep) {
                stop.request();
              }
            }
          }

          @Override
          public void close() {}
        };
  }

  private Optional<CalibrationResult> calibrate(int rounds, int stopAtStep) throws Exception {
    return new CalibrationRun(settings(8, rounds), progress(stopAtStep), stop)
        .run(
            List.of(
                new ModelledBench("nvram", DeviceParameters.OPTANE, 0.02, 1),
                new ModelledBench("dram", DRAM, 0.02, 2)));
  }

  @Test
  void shouldFindTheInterferenceOfAMediumAndTheTargetForIt() throws Exception {
    CalibrationResult result = calibrate(5, -1).orElseThrow();

    MediumResult nvram = result.calibrated();
    assertThat(nvram.label()).isEqualTo("nvram");
    assertThat(nvram.points()).hasSize(12);
    assertThat(nvram.bestWriters()).isEqualTo(2);
    assertThat(result.recommendation().overheadTarget()).isEqualTo(0.10);
    assertThat(result.isInterrupted()).isFalse();
    for (PointResult point : nvram.points()) {
      double real =
          DeviceParameters.OPTANE.allReaders(point.point().readers(), point.point().writers());
      assertThat(point.reads().mean()).isCloseTo(real, Percentage.withPercentage(2));
      assertThat(point.reads().halfWidth()).isLessThanOrEqualTo(0.04 * real);
    }
    assertThat(nvram.latencies()).hasSize(5);
    assertThat(nvram.latencies().get(0).medianNanos()).isCloseTo(200, Percentage.withPercentage(1));
    assertThat(nvram.latencies().get(2).writers()).isEqualTo(2);
    assertThat(nvram.latencies().get(2).medianNanos()).isCloseTo(600, Percentage.withPercentage(1));
  }

  private CalibrationResult calibrate(String label, DeviceParameters device, double noise)
      throws Exception {
    return new CalibrationRun(settings(2, 5), progress(-1), stop)
        .run(
            List.of(
                new ModelledBench(label, device, noise, 1),
                new ModelledBench("dram", DRAM, noise, 2)))
        .orElseThrow();
  }

  @Test
  void shouldTrustWhatRoundsAgreeOn() throws Exception {
    assertThat(calibrate("native", DRAM, 0.02).doubts()).isEmpty();
    assertThat(calibrate("nvram", DeviceParameters.OPTANE, 0.02).doubts()).isEmpty();
  }

  @Test
  void shouldNotTrustWideIntervals() throws Exception {
    CalibrationResult noisy = calibrate("nvram", DeviceParameters.OPTANE, 0.9);

    assertThat(noisy.doubts())
        .singleElement()
        .asString()
        .matches("\\d+ of 16 confidence intervals are wider than a third of their mean");
    assertThat(CalibrationTables.recommendation(noisy)).startsWith("NOT TO BE TRUSTED: Over");
    assertThat(CalibrationTables.notes(noisy))
        .anyMatch(note -> note.contains("can't be trusted") && note.contains("--rounds"));
    assertThat(CalibrationRecords.of(noisy).records())
        .anyMatch(entry -> entry.metric().equals("trustworthy") && entry.value() == 0);
  }

  @Test
  void shouldNotTrustTwoMeasurementsOfTheSameMemoryThatDiffer() throws Exception {
    DeviceParameters quicker = new DeviceParameters(120e9, 14e9, 8e9, 8, 0, 0.18, 0.18);

    assertThat(calibrate("native", quicker, 0.01).doubts())
        .singleElement()
        .asString()
        .matches("native memory and dram are the same memory, and yet came out \\d+ % apart");
    assertThat(calibrate("mapped", quicker, 0.01).doubts()).isEmpty();
  }

  @Test
  void shouldCountStepsToTheEnd() throws Exception {
    calibrate(3, -1);

    assertThat(steps).hasSize(2 * (12 + 5) * 4).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void shouldReportTheWholeRoundsWhenStopped() throws Exception {
    int aRound = 2 * (12 + 5);
    CalibrationResult result = calibrate(5, 3 * aRound + 7).orElseThrow();

    assertThat(result.rounds()).isEqualTo(2);
    assertThat(result.isInterrupted()).isTrue();
    assertThat(steps).hasSize(3 * aRound + 7);
  }

  @Test
  void shouldHaveNothingToReportWhenStoppedBeforeTheSecondRound() throws Exception {
    assertThat(calibrate(5, 2 * 2 * (12 + 5))).isEmpty();
  }

  @Test
  void shouldEstimateAMeanAndItsInterval() {
    Estimate estimate = Estimate.of(1, 2, 3, 4, 5);

    assertThat(estimate.mean()).isEqualTo(3);
    // t(4, 97.5 %) = 2.776; the standard error is sqrt(2.5 / 5).
    assertThat(estimate.halfWidth())
        .isCloseTo(2.776 * Math.sqrt(0.5), Percentage.withPercentage(0.1));
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void shouldMoveBlocksOfAMediumAndTimeSmallReads() throws Exception {
    try (Medium medium = NativeMedium.allocate(1 << 20)) {
      MediumBench bench = new MediumBench("native", medium, 4096);
      bench.fill();
      Throughput both;
      do { // Until each thread had a processor within the slice.
        both = bench.measure(new Point(2, 2), 20_000_000);
      } while (both.readBytesPerSecond() == 0 || both.writeBytesPerSecond() == 0);
      assertThat(bench.measure(new Point(0, 1), 20_000_000).readBytesPerSecond()).isZero();
      assertThat(bench.measure(new Point(1, 0), 20_000_000).writeBytesPerSecond()).isZero();

      Histogram durations = new Histogram(3);
      while (durations.getTotalCount() == 0) {
        bench.measureLatency(1, 20_000_000, durations);
      }
    }
  }

  /** No figures: how many blocks an emulated device lets pass is the emulation's own test. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void shouldLoadAnEmulatedMediumNoFasterThanItIs() throws Exception {
    NvramSpeeds slow = new NvramSpeeds(0.001);
    try (Medium medium = new EmulatedNvramMedium(NativeMedium.allocate(1 << 20), slow)) {
      MediumBench bench = new MediumBench("emulated-nvram", medium, 4096);
      Throughput alone;
      do { // Until a thread had a processor within the slice.
        alone = bench.measure(new Point(2, 0), 100_000_000);
      } while (alone.readBytesPerSecond() == 0);
      // A block may have been begun before the counting began.
      double blocksAtTheEdges = 2 * 2 * 4096 / 0.08;
      assertThat(alone.readBytesPerSecond())
          .isLessThanOrEqualTo(2 * slow.readerBytesPerSecond(2, 0) + blocksAtTheEdges);
    }
  }

  @Test
  void shouldFailWithTheMedium() throws Exception {
    try (FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20))) {
      MediumBench bench = new MediumBench("faulty", medium, 4096);
      medium.failReads = true;
      assertThatThrownBy(() -> bench.measure(new Point(1, 0), 5_000_000))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the medium failed: ");
    }
  }
}
