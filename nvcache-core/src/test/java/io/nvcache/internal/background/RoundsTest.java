// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A round does all its parts, and only a whole one counts. */
final class RoundsTest {
  private final List<String> done = new ArrayList<>();
  private long now;
  private boolean feedDied;
  private Throwable failure;

  private final LastRound lastRound =
      new LastRound(Maintenance.BY_CALLER, () -> feedDied, () -> now);
  private final Rounds rounds =
      new Rounds(lastRound, () -> done.add("first"), this::fail, () -> done.add("last"));

  private void fail() {
    if (failure instanceof Error error) {
      throw error;
    } else if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  private void pass(int seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void shouldDoTheOtherPartsOfARoundThatFailsAndThrow() {
    for (Throwable thrown :
        List.of(new OutOfMemoryError("injected"), new IllegalStateException("injected"))) {
      done.clear();
      failure = thrown;
      assertThatThrownBy(rounds::run).isSameAs(thrown);
      assertThat(done).containsExactly("first", "last");
    }
  }

  @Test
  void shouldCountTheSecondsSinceAWholeRound() {
    pass(3);
    assertThat(lastRound.secondsSinceEnd()).isEqualTo(3);
    failure = new OutOfMemoryError("injected");
    assertThatThrownBy(rounds::run).isSameAs(failure);
    assertThat(lastRound.secondsSinceEnd()).as("not a whole one").isEqualTo(3);
    failure = null;
    rounds.run();
    assertThat(lastRound.secondsSinceEnd()).isZero();
  }

  @Test
  void shouldTellThatRoundsAreOverdueOrAThreadIsGone() {
    pass(30);
    assertThat(lastRound.trouble()).isNull();
    pass(1);
    assertThat(lastRound.trouble()).contains("31 s", "maintain");
    rounds.run();
    assertThat(lastRound.trouble()).isNull();
    feedDied = true;
    assertThat(lastRound.trouble()).contains("shadows");
  }
}
