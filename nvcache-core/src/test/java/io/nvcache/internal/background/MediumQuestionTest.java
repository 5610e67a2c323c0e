// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class MediumQuestionTest {
  private final Deque<Runnable> begun = new ArrayDeque<>();
  private final AtomicInteger asked = new AtomicInteger();
  private boolean threadsLeft = true;

  /** Keeps what it has no thread for, as a pool with a queue does. */
  private final MediumQuestion question =
      new MediumQuestion(
          work -> {
            begun.add(work);
            if (!threadsLeft) {
              throw new OutOfMemoryError("unable to create native thread");
            }
          });

  private void ask() {
    question.ask(asked::incrementAndGet);
  }

  private void runAll() {
    while (!begun.isEmpty()) {
      begun.remove().run();
    }
  }

  @Test
  void shouldNotBeAskedAgainBeforeItWasAnswered() {
    ask();
    ask();
    assertThat(begun).hasSize(1);
    runAll();
    ask();
    runAll();
    assertThat(asked).hasValue(2);
  }

  @Test
  void shouldBeAskedAgainWhenItCouldNotBeBegun() {
    threadsLeft = false;
    assertThatThrownBy(this::ask).isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(this::ask).isInstanceOf(OutOfMemoryError.class);
    threadsLeft = true;

    ask();
    runAll();

    assertThat(asked).as("once, not for each time before").hasValue(1);
  }

  @Test
  void shouldBeAskedAgainAfterItFailed() {
    question.ask(
        () -> {
          throw new IllegalStateException("failed");
        });
    assertThatThrownBy(this::runAll).isInstanceOf(IllegalStateException.class);

    ask();
    runAll();

    assertThat(asked).hasValue(1);
  }
}
