// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CarryingThreadTest {
  private final AtomicInteger full = new AtomicInteger();
  private final List<Integer> dropped = Collections.synchronizedList(new ArrayList<>());
  private final CarryingThread thread = new CarryingThread(full::incrementAndGet);
  private final CountDownLatch free = new CountDownLatch(1);

  @AfterEach
  void close() {
    free.countDown();
    thread.close();
  }

  private void keepBusy() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    thread.execute(
        () -> {
          begun.countDown();
          await(free);
        });
    begun.await();
  }

  @Test
  void shouldDropTheOldestOfTooManyThatWait() throws Exception {
    List<Integer> done = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch all = new CountDownLatch(CarryingThread.MOST_WAITING);
    keepBusy();
    for (int i = 0; i < CarryingThread.MOST_WAITING + 2; i++) {
      int number = i;
      thread.execute(
          () -> {
            done.add(number);
            all.countDown();
          },
          () -> dropped.add(number));
    }
    assertThat(full).hasValue(2);
    assertThat(dropped).containsExactly(0, 1);
    free.countDown();
    all.await();
    assertThat(done).startsWith(2, 3).hasSize(CarryingThread.MOST_WAITING);
    assertThat(dropped).hasSize(2);
  }

  @Test
  void shouldDropWhatWaitsOnRequestAndContinue() throws Exception {
    keepBusy();
    thread.execute(() -> full.set(1000), () -> dropped.add(1));
    thread.execute(() -> full.set(1000), () -> dropped.add(2));
    assertThat(thread.dropWaiting()).isEqualTo(2);
    assertThat(dropped).containsExactly(1, 2);
    CountDownLatch done = new CountDownLatch(1);
    thread.execute(done::countDown);
    free.countDown();
    done.await();
    assertThat(full).hasValue(0);
  }

  @Test
  void shouldDropWhatWaitsAndWhatComesOnceItIsClosed() throws Exception {
    keepBusy();
    thread.execute(() -> full.set(1000), () -> dropped.add(1));
    thread.close();
    thread.execute(() -> full.set(1000), () -> dropped.add(2));
    assertThat(dropped).containsExactly(1, 2);
    assertThat(full).hasValue(0);
  }

  /** Cassandra takes all threads of that group for compactions, which are not lookups. */
  @Test
  void shouldNotBelongToTheGroupOfTheCompactionThatItFollows() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    List<ThreadGroup> groups = Collections.synchronizedList(new ArrayList<>());
    ThreadGroup compactions = new ThreadGroup("compactions");
    Runnable work =
        () -> {
          groups.add(Thread.currentThread().getThreadGroup());
          done.countDown();
        };
    new Thread(compactions, () -> thread.execute(work)).start();
    done.await();
    assertThat(groups.get(0).getParent()).isNull();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
