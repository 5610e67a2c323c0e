// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.control.TuningBounds;
import io.nvcache.control.TuningReport;
import io.nvcache.jmx.CapturedLog;
import io.nvcache.jmx.NvCacheMBeanRegistration;
import io.nvcache.medium.ForwardingMedium;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tuning on a real cache in virtual time, over a medium that makes reads pay for the writes of the
 * second before.
 */
final class TuningTest {
  private static final int LENGTH = 4096;
  private static final int CAPACITY_BLOCKS = 2_048;
  private static final int LOOKUPS_PER_SECOND = 4_000;
  private static final double READ_NANOS = 2_000;

  /** The hot set moves on by a block this often: a target only matters where writes are wanted. */
  private static final long HOT_SET_STEP_NANOS = 20_000_000;

  private long now;

  /** Takes virtual time for reads, the more the more was written in the last second. */
  private final class SlowedMedium extends ForwardingMedium {
    private final double slowdownPerByte;
    private long written;
    private long writtenPerSecond;

    SlowedMedium(double slowdownPerByte) {
      super(NativeMedium.allocate((long) CAPACITY_BLOCKS * LENGTH));
      this.slowdownPerByte = slowdownPerByte;
    }

    void secondPassed() {
      writtenPerSecond = written;
      written = 0;
    }

    @Override
    public void read(long offset, ByteBuffer dst, int length) throws IOException {
      now += (long) (READ_NANOS * (1 + slowdownPerByte * Math.max(written, writtenPerSecond)));
      inner().read(offset, dst, length);
    }

    @Override
    public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
      written += length;
      inner().write(offset, src, srcPosition, length);
    }

    @Override
    public long address(long offset, long length) {
      return 0;
    }

    @Override
    public String describe() {
      return "slowed by writes";
    }
  }

  private BlockCache open(SlowedMedium medium) {
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH)
        .smallBypassDramBytes(0)
        .testing(TestHook.hashSeed(1), TestHook.nanoTime(() -> now))
        .maintainedByCaller()
        .build();
  }

  private void pass(int seconds, BlockCache cache, SlowedMedium medium) {
    SplittableRandom random = new SplittableRandom(seconds);
    ByteBuffer block = ByteBuffer.allocate(LENGTH);
    for (int second = 0; second < seconds; second++) {
      for (int i = 0; i < LOOKUPS_PER_SECOND; i++) {
        long key = (long) (Math.pow(random.nextDouble(), 3) * 20_000) + now / HOT_SET_STEP_NANOS;
        if (cache.get(1, key * LENGTH, block.clear()) == BlockCache.MISS) {
          cache.offer(1, key * LENGTH, block.clear(), Source.READ);
        }
      }
      now += TimeUnit.SECONDS.toNanos(1);
      cache.control().maintain();
      medium.secondPassed();
    }
  }

  @Test
  void shouldLowerTheTargetWhereWritesAreDearAndLogWhy() {
    SlowedMedium medium = new SlowedMedium(2e-5);
    try (BlockCache cache = open(medium)) {
      pass(20, cache, medium);
      cache.control().settings().setOverheadTarget(0.5);
      cache.control().tuning().start(new TuningBounds(0.01, 0.5, Duration.ofNanos(20_000)));
      assertThat(cache.control().tuning().report().state()).isEqualTo(TuningReport.State.EXPLORING);
      pass(300, cache, medium);

      TuningReport report = cache.control().tuning().report();
      assertThat(report.state()).as(report.toString()).isEqualTo(TuningReport.State.STEERING);
      assertThat(report.slowdownPerMibs().orElseThrow()).as(report.toString()).isPositive();
      assertThat(cache.control().settings().overheadTarget())
          .as(report.toString())
          .isBetween(0.01, 0.2);
      cache.control().tuning().stop();
      double target = cache.control().settings().overheadTarget();
      pass(100, cache, medium);
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(target);
      assertThat(cache.control().tuning().report().state()).isEqualTo(TuningReport.State.OFF);
    }
  }

  @Test
  void shouldEndByItselfOnAMediumWithoutInterference() {
    SlowedMedium medium = new SlowedMedium(0);
    try (BlockCache cache = open(medium)) {
      cache.control().tuning().start(new TuningBounds(0.01, 0.5, Duration.ofNanos(20_000)));
      pass(200, cache, medium);

      TuningReport report = cache.control().tuning().report();
      assertThat(report.state())
          .as(report.toString())
          .isEqualTo(TuningReport.State.NO_INTERFERENCE);
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.5);
      assertThat(cache.control().shadows().candidates()).as("as before").isEmpty();
      assertThat(cache.control().shadows().sampleRatio()).as("as before").isZero();
    }
  }

  @Test
  void shouldLogOutcomesAndNotEachStepOfExploring() throws Exception {
    SlowedMedium medium = new SlowedMedium(2e-5);
    MBeanServer server = MBeanServerFactory.newMBeanServer();
    try (BlockCache cache = open(medium);
        NvCacheMBeanRegistration audit = NvCacheMBeanRegistration.register(cache, "t", server)) {
      pass(20, cache, medium);
      cache.control().settings().setOverheadTarget(0.5);
      cache.control().tuning().start(new TuningBounds(0.01, 0.5, Duration.ofNanos(20_000)));
      String exploring = CapturedLog.of(() -> pass(20, cache, medium));
      assertThat(cache.control().tuning().report().changes()).isGreaterThan(3);
      assertThat(exploring).doesNotContain("arget");

      String steering = CapturedLog.of(() -> pass(280, cache, medium));
      assertThat(steering)
          .contains("INFO", "is past EXPLORING: STEERING", "overhead target set to")
          .contains("OverheadTargetPercent changed from")
          .doesNotContain("NaN");
      String end = CapturedLog.of(() -> cache.control().tuning().stop());
      assertThat(end).contains("INFO", "ended: OFF", "last: stopped").doesNotContain("NaN");
      assertThat(audit.objectName()).isNotNull();
    }
  }

  @Test
  void shouldSayWhatItDoesNotKnowYet() {
    assertThat(TuningReport.OFF)
        .hasToString(
            "OFF, target not known yet, reads not known yet (0 samples), 0 changes, last: never"
                + " started");
    assertThat(
            new TuningReport(
                TuningReport.State.STEERING,
                OptionalDouble.of(0.0215),
                OptionalDouble.of(154),
                OptionalDouble.of(0.0042),
                310,
                12,
                "why"))
        .hasToString(
            "STEERING, target 2.15 %, reads 154 ns/KiB and 0.42 % slower per MiB/s written (310"
                + " samples), 12 changes, last: why");
    assertThat(
            new TuningReport(
                TuningReport.State.STEERING,
                OptionalDouble.of(0.1),
                OptionalDouble.of(0),
                OptionalDouble.empty(),
                3,
                1,
                "why"))
        .hasToString(
            "STEERING, target 10.00 %, reads 0 ns/KiB and not known yet per MiB/s written (3"
                + " samples), 1 changes, last: why");
  }

  @Test
  void shouldBeOffUnlessStarted() {
    SlowedMedium medium = new SlowedMedium(1e-6);
    try (BlockCache cache = open(medium)) {
      pass(50, cache, medium);
      assertThat(cache.control().tuning().report()).isEqualTo(TuningReport.OFF);
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.10);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0.5, 1000", "0.2, 0.1, 1000", "0.1, 11, 1000", "0.1, 0.5, 1", "NaN, 0.5, 1000"})
  void shouldRefuseBoundsOutOfRange(double least, double most, long missNanos) {
    assertThatThrownBy(() -> new TuningBounds(least, most, Duration.ofNanos(missNanos)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
