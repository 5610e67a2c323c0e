// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PrefetchGateTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // Soon it overflows.
  private final PrefetchGate gate = new PrefetchGate(now::get);

  @Test
  void shouldEndAPrefetchAfterAFewBlocksInVain() {
    int fetched = 0;
    while (gate.goesOn()) {
      gate.refused("file");
      fetched++;
    }
    assertThat(fetched).isEqualTo(9);
  }

  /** Its length says nothing of other files' blocks. */
  @Test
  void shouldEndThePrefetchOfTooLongBlocksAlone() {
    int fetched = 0;
    while (gate.goesOn()) {
      gate.tooLong("file");
      fetched++;
    }
    assertThat(fetched).isEqualTo(9);
    assertThat(gate.isOpen()).isTrue();
    gate.cached("other");
    assertThat(gate.completed("other")).isEqualTo(1);
  }

  @Test
  void shouldWasteATenthOfALongPrefetchAtMost() {
    int fetched = 0;
    int wasted = 0;
    while (gate.goesOn() && fetched < 100_000) {
      if (fetched % 11 == 10) {
        gate.refused("file");
        wasted++;
      } else {
        gate.cached("file");
      }
      fetched++;
    }
    assertThat(fetched).isEqualTo(100_000);
    assertThat(wasted).isLessThan(fetched / 10);

    while (gate.goesOn()) { // One in five is too many.
      gate.refused("file");
      for (int i = 0; i < 4; i++) {
        gate.cached("file");
      }
      fetched++;
    }
    assertThat(fetched).isLessThan(100_020);
  }

  @Test
  void shouldJudgeEachFileAnew() {
    for (int i = 0; i < 8; i++) {
      gate.refused("one");
    }
    gate.refused("another");
    assertThat(gate.goesOn()).isTrue();
  }

  /** Room and credit are gone for all of them. */
  @Test
  void shouldEndOthersWithTheFirstBlockInVainWhileNoneMayBegin() {
    for (int i = 0; i < 9; i++) {
      gate.refused("one");
    }
    assertThat(gate.goesOn()).isFalse();
    gate.cached("another");
    assertThat(gate.goesOn()).as("what is cached anyway").isTrue();
    gate.refused("another");
    assertThat(gate.goesOn()).isFalse();
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    gate.refused("another");
    assertThat(gate.goesOn()).as("after the minute").isTrue();
  }

  @Test
  void shouldLeaveOutOnlyTheFirstBlocksWhereTheReaderWouldLoseItsPlace() {
    assertThat(gate.mayLeaveOut("file", 0, false)).isTrue();
    assertThat(gate.leftOut("file", 0, 100)).isTrue();
    assertThat(gate.leftOutBytes("file", 0)).isEqualTo(100);
    assertThat(gate.mayLeaveOut("file", 100, false)).isTrue();
    assertThat(gate.leftOut("file", 100, 0)).as("not cached").isFalse();
    assertThat(gate.leftOutBytes("file", 100)).isZero();
    gate.cached("file");
    assertThat(gate.mayLeaveOut("file", 200, false)).isFalse();
    assertThat(gate.mayLeaveOut("file", 200, true)).isTrue();
    assertThat(gate.completed("file")).isEqualTo(2);

    assertThat(gate.mayLeaveOut("file", 0, false)).as("the next time").isTrue();
  }

  @Test
  void shouldLetOneTryAgainAfterAMinute() {
    assertThat(gate.isOpen()).isTrue();
    for (int i = 0; i < 9; i++) {
      gate.refused("file");
    }
    assertThat(gate.isOpen()).as("the prefetch was not ended yet").isTrue();
    assertThat(gate.goesOn()).isFalse();
    assertThat(gate.isOpen()).isFalse();
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(gate.isOpen()).isFalse();
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(gate.isOpen()).isTrue();
  }

  @Test
  void shouldCountTheBlocksOfAWholeFileOnly() {
    gate.cached("one");
    gate.cached("one");
    assertThat(gate.completed("one")).isEqualTo(2);
    assertThat(gate.completed("one")).as("it has ended").isZero();

    gate.cached("one");
    assertThat(gate.completed("another")).isZero();

    gate.cached("one");
    gate.refused("one");
    assertThat(gate.completed("one")).isZero();
  }

  @Test
  void shouldNotMixThreads() throws InterruptedException {
    Thread other =
        new Thread(
            () -> {
              for (int i = 0; i < 100; i++) {
                gate.refused("file");
              }
            });
    other.start();
    other.join();
    gate.cached("file");
    assertThat(gate.goesOn()).isTrue();
    assertThat(gate.completed("file")).isEqualTo(1);
  }
}
