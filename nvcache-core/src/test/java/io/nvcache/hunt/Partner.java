// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import org.jspecify.annotations.Nullable;

/** Another thread that does its part while the hunt does its own. */
final class Partner {
  private final SynchronousQueue<Runnable> parts = new SynchronousQueue<>();

  Partner() {
    Thread thread =
        new Thread(
            () -> {
              while (true) {
                try {
                  parts.take().run();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
            },
            "partner");
    thread.setDaemon(true);
    thread.start();
  }

  private static void await(CountDownLatch done) {
    while (true) {
      try {
        done.await();
        return;
      } catch (InterruptedException e) {
        // By the JDK: it interrupts who is in an arena's memory when that is closed.
      }
    }
  }

  /** Does both at the same time, and returns when both are done; throws what either threw. */
  void beside(Steps.Act theirs, Steps.Act ours) throws Throwable {
    CountDownLatch done = new CountDownLatch(1);
    Throwable[] thrown = new Throwable[1];
    parts.put(
        () -> {
          try {
            theirs.make();
          } catch (Throwable e) {
            thrown[0] = e;
          } finally {
            done.countDown();
          }
        });
    @Nullable Throwable own = null;
    try {
      ours.make();
    } catch (Throwable e) {
      own = e;
    }
    await(done);
    if (own != null) {
      throw own;
    }
    if (thrown[0] != null) {
      throw thrown[0];
    }
  }
}
