// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Starts threads at one moment and hands on what they throw. */
public final class Race {
  /** What one of the threads does. */
  @FunctionalInterface
  public interface Racer {
    void run(int thread) throws Exception;
  }

  private Race() {}

  /** Runs the racer in that many threads and waits for all of them. */
  public static void run(int threads, Racer racer) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<?>> racers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        racers.add(
            pool.submit(
                () -> {
                  start.await();
                  racer.run(thread);
                  return null;
                }));
      }
      for (Future<?> running : racers) {
        running.get(10, TimeUnit.MINUTES);
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
