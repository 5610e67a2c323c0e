// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads that do something once and stay alive, as those of a store's pool that is idle. */
final class LivingThreads {
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  /** Returns when so many more threads have done it. */
  void run(int count, Runnable work) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      Thread thread =
          new Thread(
              () -> {
                work.run();
                done.countDown();
                try {
                  end.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      threads.add(thread);
      thread.start();
    }
    done.await();
  }

  /** Ends all of them. */
  void end() throws InterruptedException {
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
