// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.testing.ChildJvm;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The litmus test of store buffering: each of two threads stores and then loads what the other
 * stores. Without fences on both sides, both may load the old value; here only one of them has one.
 */
final class GlobalFenceTest {
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int ROUNDS = 5_000;
  private static final int ROUNDS_WITHOUT = 400_000;

  /** Far more than it takes the other thread to answer, if it runs. */
  private static final int MOST_SPINS = 200;

  /** Cells of one round apart: a cache line. */
  private static final int APART = 16;

  private volatile int round = -1;
  private volatile int answered = -1;
  private int seenByOther;

  /** What the thread that does not pass the fence does; nothing, where the fence reaches it. */
  private Runnable betweenStoreAndLoad = () -> {};

  @Test
  void shouldMakeOneOfTwoSeeTheOther() throws InterruptedException {
    assertThat(bothMissed(ROUNDS, GlobalFence::pass)).isZero();
  }

  @Test
  void shouldBeMoreThanAFenceOnOneSide() throws InterruptedException {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1);

    // No processor has to reorder them, and some never do.
    assumeThat(bothMissed(ROUNDS_WITHOUT, VarHandle::fullFence))
        .as("else the test above shows nothing")
        .isPositive();
  }

  @ParameterizedTest
  @CsvSource({"true,,true", "true,7,true", "true,none,false", "false,,false", "throws,,false"})
  void shouldKnowWhetherTheJvmStopsItsThreads(
      String supported, @Nullable String deadlocked, boolean expected) {
    ThreadMXBean threads =
        (ThreadMXBean)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ThreadMXBean.class},
                (proxy, method, arguments) ->
                    method.getName().equals("isObjectMonitorUsageSupported")
                        ? isSupported(supported)
                        : deadlocks(deadlocked));

    assertThat(GlobalFence.stopsThreads(threads)).isEqualTo(expected);
  }

  private static boolean isSupported(String answer) {
    if (answer.equals("throws")) {
      throw new UnsupportedOperationException("injected");
    }
    return Boolean.parseBoolean(answer);
  }

  private static long @Nullable [] deadlocks(@Nullable String answer) {
    if (answer == null) {
      return null;
    }
    return answer.equals("none") ? new long[0] : new long[] {Long.parseLong(answer)};
  }

  @Test
  void shouldFenceEachCallWhereAllThreadsCanNotBeReached() throws Exception {
    assertThat(
            ChildJvm.run(List.of("-D" + GlobalFence.PROPERTY + "=call"), WithoutGlobalFence.class))
        .contains("each call makes its own", "missed 0");
  }

  /** The litmus test without the global fence: each side makes its own fence. */
  static final class WithoutGlobalFence {
    public static void main(String[] args) throws InterruptedException {
      GlobalFenceTest test = new GlobalFenceTest();
      test.betweenStoreAndLoad = GlobalFence::meet;
      System.out.println("missed " + test.bothMissed(ROUNDS_WITHOUT, VarHandle::fullFence));
    }
  }

  /** In how many rounds neither thread saw what the other had stored; the first one ends it. */
  private int bothMissed(int rounds, Runnable fence) throws InterruptedException {
    int[] mine = new int[rounds * APART];
    int[] others = new int[rounds * APART];
    Thread other = new Thread(() -> storeAndLoad(rounds, others, mine));
    other.start();
    int missed = 0;
    for (int r = 0; r < rounds && missed == 0; r++) {
      round = r;
      for (int pause = 0; pause < r % 40; pause++) {
        CELLS.getOpaque(mine, r * APART);
      }
      CELLS.setRelease(mine, r * APART, 1);
      fence.run();
      int seen = (int) CELLS.getAcquire(others, r * APART);
      for (int spins = 0; answered < r; spins++) {
        pause(spins);
      }
      missed += seen == 0 && seenByOther == 0 ? 1 : 0;
    }
    round = rounds; // The other thread need not wait for the rest.
    other.join();
    return missed;
  }

  private void storeAndLoad(int rounds, int[] stored, int[] loaded) {
    for (int r = 0; r < rounds; r++) {
      for (int spins = 0; round < r; spins++) {
        pause(spins);
      }
      CELLS.setRelease(stored, r * APART, 1);
      betweenStoreAndLoad.run();
      seenByOther = (int) CELLS.getAcquire(loaded, r * APART);
      answered = r;
    }
  }

  /** Where there is one processor, the other thread continues only once this one gives it up. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void pause(int spins) {
    if (spins < MOST_SPINS) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }
}
