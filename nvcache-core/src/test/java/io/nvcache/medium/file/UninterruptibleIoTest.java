// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class UninterruptibleIoTest {
  @Test
  void shouldThrowWhatTheWorkThrows() {
    for (Throwable failure :
        new Throwable[] {new IOException(), new IllegalStateException(), new InternalError()}) {
      assertThatThrownBy(() -> UninterruptibleIo.run(() -> fail(failure))).isSameAs(failure);
    }
  }

  private static void fail(Throwable failure) throws IOException {
    if (failure instanceof IOException checked) {
      throw checked;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    throw (Error) failure;
  }

  @Test
  void shouldNotLetInterruptsIn() throws IOException {
    AtomicBoolean reached = new AtomicBoolean();
    Thread.currentThread().interrupt();

    UninterruptibleIo.run(() -> reached.set(Thread.currentThread().isInterrupted()));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(reached).isFalse();
  }

  @Test
  void shouldHoldUpNobodyElseWhenItHangs() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch healed = new CountDownLatch(1);
    Thread caller =
        new Thread(
            () -> {
              try {
                UninterruptibleIo.run(
                    () -> {
                      hangs.countDown();
                      awaitQuietly(healed);
                    });
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    caller.start();
    hangs.await();

    UninterruptibleIo.run(() -> {});

    assertThat(caller.isAlive()).as("waits for its own").isTrue();
    healed.countDown();
    caller.join();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
