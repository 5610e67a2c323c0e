// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import static io.nvcache.device.SharedBandwidth.Direction.READ;
import static io.nvcache.device.SharedBandwidth.Direction.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SharedBandwidthTest {
  private static final int BLOCK_BYTES = 1_000_000;

  private long now;
  private final NvramSpeeds speeds = new NvramSpeeds(1);
  private final SharedBandwidth bandwidth = new SharedBandwidth(speeds, () -> now);

  @Test
  void shouldTakeOneReaderAsLongAsItsRateSays() {
    double doneAt = bandwidth.begin(READ, BLOCK_BYTES);

    assertThat(bandwidth.nanosLeft(READ, doneAt)).isEqualTo(400_000);
    now += 399_000;
    assertThat(bandwidth.nanosLeft(READ, doneAt)).isCloseTo(1_000, within(2L));
    now += 1_001;
    assertThat(bandwidth.nanosLeft(READ, doneAt)).isZero();
  }

  @Test
  void shouldSlowReadOnlyWhileItOverlapsWrite() {
    double alone = speeds.readerBytesPerSecond(1, 0) / 1e9;
    double beside = speeds.readerBytesPerSecond(1, 1) / 1e9;
    int writtenBytes = (int) (speeds.writerBytesPerSecond(1, 1) / 1e9 * 100_000);

    double readDone = bandwidth.begin(READ, BLOCK_BYTES);
    now += 100_000;
    double writeDone = bandwidth.begin(WRITE, writtenBytes);
    assertThat(bandwidth.nanosLeft(WRITE, writeDone)).isCloseTo(100_000, within(20L));
    now += 150_000;

    assertThat(bandwidth.nanosLeft(WRITE, writeDone)).isZero();
    double leftBytes = BLOCK_BYTES - 150_000 * alone - 100_000 * beside;
    assertThat(bandwidth.nanosLeft(READ, readDone))
        .isCloseTo(Math.round(leftBytes / alone), within(20L));
  }

  @Test
  void shouldFreeDeviceWhenAccessIsThroughEvenIfItsThreadIsLate() {
    bandwidth.begin(WRITE, 600);
    now += 1_000_000_000;

    double doneAt = bandwidth.begin(READ, BLOCK_BYTES);

    assertThat(bandwidth.nanosLeft(READ, doneAt)).isEqualTo(400_000);
  }

  @Test
  void shouldGiveReaderItsFullRateBackWhenFailedAccessesLeave() {
    double first = bandwidth.begin(READ, BLOCK_BYTES);
    double[] others = new double[7];
    for (int i = 0; i < others.length; i++) {
      others[i] = bandwidth.begin(READ, BLOCK_BYTES + i + 1);
    }
    long crowded = bandwidth.nanosLeft(READ, first);
    for (double other : others) {
      bandwidth.end(READ, other);
    }

    assertThat(crowded).isCloseTo(Math.round(BLOCK_BYTES / 1.5), within(2L));
    assertThat(bandwidth.nanosLeft(READ, first)).isEqualTo(400_000);
  }

  @Test
  void shouldCountHowLongAccessesTookWheneverTheirThreadsNotice() {
    bandwidth.begin(READ, BLOCK_BYTES);
    bandwidth.begin(READ, BLOCK_BYTES / 2);
    now += 5_000_000_000L;

    // 2.5 GB/s each, since two readers don't reach what all can get.
    assertThat(bandwidth.accessNanos()).isCloseTo(400_000 + 200_000, within(2.0));
    now += 5_000_000_000L;
    assertThat(bandwidth.accessNanos()).isCloseTo(600_000, within(2.0));
  }

  @Test
  void shouldEndAccessesInOrderOfTheirLengths() {
    double small = bandwidth.begin(READ, 100_000);
    double large = bandwidth.begin(READ, 300_000);
    // 2.5 GB/s each: the cap of one reader holds for both.
    now += 41_000;
    assertThat(bandwidth.nanosLeft(READ, small)).isZero();
    assertThat(bandwidth.nanosLeft(READ, large)).isCloseTo(79_000, within(2L));
    bandwidth.end(READ, small);
    assertThat(bandwidth.nanosLeft(READ, large)).isCloseTo(79_000, within(2L));
  }

  /** SoCC '22, Fig. 2 again, through the clock: eight readers and one writer for a second. */
  @Test
  void shouldMoveThePapersBytesInOneSecond() {
    double[] readers = new double[8];
    for (int i = 0; i < readers.length; i++) {
      readers[i] = bandwidth.begin(READ, 2_000_000_000);
    }
    bandwidth.begin(WRITE, 2_000_000_000);
    double before = readers[0] - 2_000_000_000;
    now += 1_000_000_000;
    double after = bandwidth.begin(READ, 0);

    assertThat(8 * (after - before)).isCloseTo(3.4e9, within(0.34e9));
  }
}
