// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every medium promises. */
public abstract class MediumContract {
  private static final int CAPACITY = 1 << 20;

  private Medium medium;

  /** Opens a medium of the capacity given. */
  protected abstract Medium open(long capacityBytes) throws IOException;

  @BeforeEach
  void openMedium() throws IOException {
    medium = open(CAPACITY);
  }

  @AfterEach
  void closeMedium() {
    medium.close();
  }

  private static ByteBuffer bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  @Test
  void shouldHaveTheCapacityAskedForAndAPowerOfTwoAlignment() {
    assertThat(medium.capacityBytes()).isEqualTo(CAPACITY);
    assertThat(Integer.bitCount(medium.alignmentBytes())).isEqualTo(1);
    assertThat(medium.describe()).contains("" + CAPACITY);
    assertThat(medium.writeCost().removalWeight()).isNotNegative();
  }

  @Test
  void shouldReadBackWhatWasWrittenFromAndToEveryKindOfBuffer() throws IOException {
    ByteBuffer[] sources = {
      bytes(1, 5000),
      bytes(2, 5000).asReadOnlyBuffer(),
      ByteBuffer.allocateDirect(5000).put(bytes(3, 5000)).flip(),
      bytes(4, 6000).position(700).limit(5700).slice()
    };
    ByteBuffer[] targets = {
      ByteBuffer.allocate(6000),
      ByteBuffer.allocateDirect(6000),
      ByteBuffer.allocate(7000).slice(500, 6000)
    };
    for (ByteBuffer source : sources) {
      for (ByteBuffer target : targets) {
        source.position(10);
        target.clear().position(20);

        medium.write(4096, source);
        medium.read(4096, target, 4990);

        assertThat(source.position()).isEqualTo(10);
        assertThat(target.position()).isEqualTo(20);
        assertThat(target.slice(20, 4990)).isEqualTo(source);
      }
    }
  }

  @Test
  void shouldKeepNeighboursApart() throws IOException {
    int step = Math.max(512, medium.alignmentBytes());
    medium.write(0, bytes(1, step));
    medium.write(2L * step, bytes(2, step));
    medium.write(step, bytes(3, step));
    medium.write(CAPACITY - step, bytes(4, step));
    medium.persist(0, CAPACITY);

    ByteBuffer read = ByteBuffer.allocate(step);
    medium.read(0, read, step);
    assertThat(read).isEqualTo(bytes(1, step));
    medium.read(2L * step, read, step);
    assertThat(read).isEqualTo(bytes(2, step));
    medium.read(CAPACITY - step, read, step);
    assertThat(read).isEqualTo(bytes(4, step));
  }

  @Test
  void shouldReadAnyPartOfWhatWasWritten() throws IOException {
    int length = 300_000;
    ByteBuffer block = bytes(5, length);
    medium.write(65_536, block);
    ByteBuffer read = ByteBuffer.allocate(length);
    for (int from : new int[] {0, 1, 511, 4095, 4096, 4097, 262_143, length - 1}) {
      for (int bytes : new int[] {0, 1, 4096, 8191, length - from}) {
        int fitting = Math.min(bytes, length - from);
        medium.read(65_536 + from, read.clear(), fitting);
        assertThat(read.slice(0, fitting)).isEqualTo(block.slice(from, fitting));
      }
    }
  }

  private long addressOrNone(long offset) {
    try {
      return medium.address(offset, 512);
    } catch (IndexOutOfBoundsException e) {
      return 0;
    }
  }

  @Test
  void shouldRefuseEveryRangeOutsideItself() {
    ByteBuffer buffer = ByteBuffer.allocate(512);
    long[] outside = {-1, -512, CAPACITY - 511, CAPACITY, Long.MAX_VALUE, Long.MAX_VALUE - 511};
    for (long offset : outside) {
      assertThatThrownBy(() -> medium.read(offset, buffer, 512))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> medium.write(offset, buffer))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(addressOrNone(offset)).as("an address outside").isZero();
    }
    assertThatThrownBy(() -> medium.read(0, buffer, 513))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> medium.read(0, buffer, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
