// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EmulatedNvramMediumTest {
  private static final int CAPACITY_BYTES = 1 << 20;
  private static final long SEED = 42;

  private long now;
  private final EmulatedNvramMedium medium =
      new EmulatedNvramMedium(
          NativeMedium.allocate(CAPACITY_BYTES),
          new NvramSpeeds(1),
          () -> now,
          nanos -> now += nanos);

  @AfterEach
  void close() {
    medium.close();
  }

  @Test
  void shouldPassBytesThroughUnchanged() throws Exception {
    Random random = new Random(SEED);
    byte[] model = new byte[CAPACITY_BYTES];
    medium.write(0, ByteBuffer.wrap(model));
    for (int step = 0; step < 200; step++) {
      byte[] block = new byte[1 + random.nextInt(20_000)];
      random.nextBytes(block);
      int offset = random.nextInt(CAPACITY_BYTES - block.length);
      System.arraycopy(block, 0, model, offset, block.length);
      ByteBuffer src = ByteBuffer.wrap(block);
      medium.write(offset, src);
      assertThat(src.remaining()).isEqualTo(block.length);
    }

    ByteBuffer all = ByteBuffer.allocate(CAPACITY_BYTES);
    medium.read(0, all, CAPACITY_BYTES);

    assertThat(all.position()).isZero();
    assertThat(all.array()).as("seed %d", SEED).isEqualTo(model);
  }

  @Test
  void shouldTellTheDevicesTimeFromItsThreads() throws Exception {
    medium.write(0, ByteBuffer.allocate(600_000));

    assertThat(medium.deviceNanos()).isCloseTo(1_000_000, within(2L));
    assertThat(medium.processorNanos()).isPositive();
  }

  @Test
  void shouldTakeAsLongAsOneReaderAndOneWriterTake() throws Exception {
    medium.write(0, ByteBuffer.allocate(600_000));
    assertThat(now).isCloseTo(1_000_000, within(2L));

    medium.read(0, ByteBuffer.allocate(250_000), 250_000);
    assertThat(now).isCloseTo(1_100_000, within(4L));
  }

  @Test
  void shouldHideItsMemorySoThatNoAccessPassesByTheDelay() {
    assertThat(medium.address(0, CAPACITY_BYTES)).isZero();
  }

  @Test
  void shouldBearTwoWritersAndFreeWithoutWriting() {
    assertThat(medium.writeCost().maxConcurrentWriters()).isEqualTo(2);
    assertThat(medium.writeCost().removalWeight()).isZero();
  }

  @Test
  void shouldSayThatItIsEmulated() {
    assertThat(medium.describe()).startsWith("emulated NVRAM, speed × 1.0, on ");
  }

  @Test
  void shouldLeaveTheDeviceFreeAfterFailedAccess() throws Exception {
    ByteBuffer small = ByteBuffer.allocate(16);
    assertThatThrownBy(() -> medium.read(0, small, CAPACITY_BYTES))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> medium.read(0, small, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);

    medium.read(0, ByteBuffer.allocate(250_000), 250_000);

    assertThat(now).isCloseTo(100_000, within(4L));
  }

  @Test
  void shouldRefuseCapacityThatEndsInsideWriteGranule() {
    try (Medium odd = NativeMedium.allocate(5 * 64)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new EmulatedNvramMedium(odd, new NvramSpeeds(1)))
          .withMessage("capacityBytes is 320; it must be a multiple of 256");
    }
  }
}
