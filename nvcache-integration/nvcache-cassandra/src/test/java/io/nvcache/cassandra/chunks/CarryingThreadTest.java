// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.host.ReasonCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CarryingThreadTest {
  @Test
  void shouldDropTheOldestOfTooManyThatWait() throws Exception {
    ReasonCounts<Bypass> bypasses = new ReasonCounts<>(Bypass.class);
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(CarryingThread.MOST_WAITING);
    try (CarryingThread thread = new CarryingThread(bypasses)) {
      thread.execute(
          () -> {
            begun.countDown();
            await(free);
          });
      begun.await();
      for (int i = 0; i < CarryingThread.MOST_WAITING + 2; i++) {
        int number = i;
        thread.execute(
            () -> {
              done.add(number);
              all.countDown();
            });
      }
      assertThat(bypasses.of(Bypass.HEAT_QUEUE_FULL)).isEqualTo(2);
      free.countDown();
      all.await();
      assertThat(done).startsWith(2, 3).hasSize(CarryingThread.MOST_WAITING);
    }
  }

  /** Cassandra takes all threads of that group for compactions, which are not lookups. */
  @Test
  void shouldNotBelongToTheGroupOfTheCompactionThatItFollows() throws Exception {
    try (CarryingThread carrying = new CarryingThread(new ReasonCounts<>(Bypass.class))) {
      CountDownLatch done = new CountDownLatch(1);
      List<ThreadGroup> groups = Collections.synchronizedList(new ArrayList<>());
      ThreadGroup compactions = new ThreadGroup("compactions");
      new Thread(
              compactions,
              () ->
                  carrying.execute(
                      () -> {
                        groups.add(Thread.currentThread().getThreadGroup());
                        done.countDown();
                      }))
          .start();
      done.await();
      assertThat(groups.get(0).getParent()).isNull();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
