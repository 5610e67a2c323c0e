// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nvcache.stats.StripedCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that holds a lock is refused, and no other one, whether it owns its stripe or not. */
@Timeout(60)
final class LockHoldersTest {
  private final StripedCounters counters = new StripedCounters();
  private final LockHolders holders = new LockHolders(counters);

  private void assertRefusedInsideOnly() {
    holders.refuseToWaitForItself();
    int place = holders.enter();
    assertThatThrownBy(holders::refuseToWaitForItself)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("onAdmit or onRemove");
    holders.leave(place);
    holders.refuseToWaitForItself();
  }

  private static void inAnotherThread(Runnable work) throws Exception {
    FutureTask<Void> task = new FutureTask<>(work, null);
    new Thread(task).start();
    task.get();
  }

  @Test
  void shouldRefuseOverAndOverWithoutLookingWhereEachTime() {
    int place = holders.enter();
    for (int i = 0; i < 100; i++) {
      Throwable refusal = catchThrowable(holders::refuseToWaitForItself);
      assertThat(refusal)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("onAdmit or onRemove");
      assertThat(refusal.getStackTrace().length == 0).isEqualTo(i >= 16);
    }
    holders.leave(place);
  }

  @Test
  void shouldRefuseAThreadWithAStripeOfItsOwn() throws Exception {
    assertThat(counters.owns(counters.stripe())).isTrue();
    assertRefusedInsideOnly();
    int place = holders.enter();
    inAnotherThread(
        () -> assertThatCode(holders::refuseToWaitForItself).doesNotThrowAnyException());
    holders.leave(place);
  }

  @Test
  void shouldRefuseAThreadThatSharesAStripeAndNotTheOthers() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> owners = new ArrayList<>();
    for (int i = 0; i < counters.count() + 64; i++) {
      CountDownLatch owns = new CountDownLatch(1);
      Thread owner =
          new Thread(
              () -> {
                counters.stripe();
                owns.countDown();
                try {
                  end.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      owner.start();
      owners.add(owner);
      owns.await();
    }
    inAnotherThread(
        () -> {
          assertThat(counters.owns(counters.stripe())).isFalse();
          assertRefusedInsideOnly();
          int place = holders.enter();
          try {
            inAnotherThread(
                () -> {
                  assertThat(counters.owns(counters.stripe())).isFalse();
                  holders.refuseToWaitForItself();
                });
          } catch (Exception e) {
            throw new AssertionError(e);
          }
          holders.leave(place);
        });
    end.countDown();
    for (Thread owner : owners) {
      owner.join();
    }
  }
}
