// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Half of an asymmetric fence: makes every thread of the process pass a full memory fence, so that
 * the other half, on a path that is run far more often, needs none.
 *
 * <p>What Linux does with {@code membarrier} and what biased locking did in HotSpot. Here the
 * virtual machine is asked whether threads are deadlocked over monitors, to which it has an answer
 * only after it has stopped all of them at a safepoint: a thread that goes on from there has made
 * its earlier stores visible and loads anew, and one that is in native code fenced on its way in or
 * will on its way out.
 */
public final class GlobalFence {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private GlobalFence() {}

  /**
   * Returns after every thread has passed a fence. Takes as long as a safepoint: about a hundred
   * microseconds, and more with many threads.
   */
  @SuppressWarnings("CheckReturnValue") // Not the deadlocks matter, but how they are found.
  public static void pass() {
    VarHandle.fullFence();
    THREADS.findMonitorDeadlockedThreads();
    VarHandle.fullFence();
  }
}
