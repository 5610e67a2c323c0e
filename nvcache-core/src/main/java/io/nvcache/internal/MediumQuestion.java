// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something to ask a medium that may hang: on a thread that nobody waits for.
 *
 * <p><b>Invariant.</b> It is not asked again before it was answered.
 */
final class MediumQuestion {
  private final Executor asker;
  private final AtomicBoolean asking = new AtomicBoolean();

  MediumQuestion(Executor asker) {
    this.asker = asker;
  }

  /** Asks, unless an answer is still awaited. */
  void ask(Runnable question) {
    if (asking.compareAndSet(false, true)) {
      asker.execute(
          () -> {
            try {
              question.run();
            } finally {
              asking.set(false);
            }
          });
    }
  }
}
