// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.background;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Something to ask a medium that may hang: on a thread that no other waits for.
 *
 * <p><b>Invariant.</b> It is not asked again before it was answered. One that could not be begun
 * counts as answered, and is not asked later, though an executor without a thread may have kept it.
 */
public final class MediumQuestion {
  private final Executor asker;
  private final AtomicReference<@Nullable Asking> underWay = new AtomicReference<>();

  public MediumQuestion(Executor asker) {
    this.asker = asker;
  }

  /** Asks, unless an answer is still awaited. */
  public void ask(Runnable question) {
    Asking asking = new Asking(question);
    if (!underWay.compareAndSet(null, asking)) {
      return;
    }
    try {
      asker.execute(asking);
    } catch (RuntimeException | Error e) {
      asking.end();
      throw e;
    }
  }

  /** One time of asking. */
  private final class Asking implements Runnable {
    private final Runnable question;

    Asking(Runnable question) {
      this.question = question;
    }

    @Override
    public void run() {
      if (underWay.get() == this) {
        try {
          question.run();
        } finally {
          end();
        }
      }
    }

    /** Does nothing if another one is under way by now. */
    void end() {
      underWay.compareAndSet(this, null);
    }
  }
}
