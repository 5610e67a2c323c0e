// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.memory.AlignedBuffer;
import org.junit.jupiter.api.Test;

final class ScratchBuffersTest {
  private static final int LONGEST = 10_000;

  private final ScratchBuffers buffers = new ScratchBuffers(LONGEST, 64 << 10);

  @Test
  void shouldLendTheSameBufferAgain() {
    AlignedBuffer first = buffers.take(5_000);
    buffers.giveBack(first);
    assertThat(buffers.take(6_000)).isSameAs(first);
    assertThat(buffers.take(6_000)).isNotSameAs(first);
  }

  @Test
  void shouldHaveNoMoreRoomThanTheLongestBlockNeeds() {
    assertThat(buffers.take(Integer.MAX_VALUE).capacityBytes()).isEqualTo(LONGEST);
    assertThat(buffers.take(LONGEST).capacityBytes()).isEqualTo(LONGEST);
  }

  @Test
  void shouldFreeWhatItHasWhenItIsClosed() {
    AlignedBuffer lent = buffers.take(5_000);
    buffers.giveBack(buffers.take(1));
    assertThat(buffers.bytes()).isGreaterThan(12_000);
    buffers.close();
    assertThat(buffers.bytes()).isBetween(8_000L, 9_000L);
    buffers.giveBack(lent);
    assertThat(buffers.bytes()).isZero();
  }
}
