// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.memory.LendingPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScratchBuffersTest {
  private static final int LENGTH = 4096;

  private final ScratchBuffers buffers = new ScratchBuffers(LENGTH);

  @Test
  void shouldLendTheSameBufferAgainAndEmpty() {
    ByteBuffer first = buffers.take();
    first.position(7).limit(9);
    buffers.giveBack(first);

    ByteBuffer second = buffers.take();

    assertThat(second).isSameAs(first);
    assertThat(second.position()).isZero();
    assertThat(second.limit()).isEqualTo(LENGTH);
    assertThat(second.isDirect()).isTrue();
  }

  @Test
  void shouldNotLendABufferTwice() {
    assertThat(buffers.take()).isNotSameAs(buffers.take());
  }

  @Test
  void shouldKeepNoMoreThanItsPlaces() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      threads.add(
          new Thread(
              () -> {
                ByteBuffer one = buffers.take();
                ByteBuffer other = buffers.take();
                buffers.giveBack(one);
                buffers.giveBack(other);
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(buffers.bytes()).isBetween(2L * LENGTH, (long) LendingPool.MOST * LENGTH);
  }
}
