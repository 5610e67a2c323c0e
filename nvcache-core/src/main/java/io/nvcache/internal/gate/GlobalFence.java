// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An asymmetric fence: {@link #pass}, on a path that is rarely taken, makes every thread of the
 * process pass a full memory fence, so that the other side, on a path that is taken all the time,
 * needs none.
 *
 * <p>What Linux does with {@code membarrier} and what biased locking did in HotSpot. Here the
 * virtual machine is asked whether threads are deadlocked over monitors, to which it has an answer
 * only after it has stopped all of them at a safepoint: a thread that continues from there has made
 * its earlier stores visible and loads again, and one that is in native code fenced on its way in
 * or will on its way out.
 *
 * <p>A virtual machine that can't look at monitors stops no thread for that question: GraalVM's
 * native images answer it without looking. There, and where the question can't be asked, each call
 * on the frequent side makes its own full fence ({@link #meet}).
 */
public final class GlobalFence {
  /** Set to {@code call} to have each call make its own fence on any virtual machine. */
  public static final String PROPERTY = "nvcache.fence";

  private static final Logger LOG = LoggerFactory.getLogger(GlobalFence.class);

  /** Constant, so that compilers leave {@link #meet} out where it is not needed. */
  private static final boolean REACHES_ALL = reachesAll();

  private GlobalFence() {}

  private static boolean reachesAll() {
    try {
      if (!"call".equals(System.getProperty(PROPERTY))
          && stopsThreads(ManagementFactory.getThreadMXBean())) {
        return true;
      }
    } catch (LinkageError e) {
      LOG.debug("there is no module java.management", e);
    }
    LOG.info("no fence reaches all threads of this JVM: each call makes its own");
    return false;
  }

  /**
   * Returns whether the virtual machine looks at all threads to answer the question. By its
   * contract the answer is null where no threads are deadlocked, so an empty one was not looked
   * for.
   */
  static boolean stopsThreads(ThreadMXBean threads) {
    try {
      if (!threads.isObjectMonitorUsageSupported()) {
        return false;
      }
      long[] deadlocked = threads.findMonitorDeadlockedThreads();
      return deadlocked == null || deadlocked.length > 0;
    } catch (UnsupportedOperationException | SecurityException e) {
      LOG.debug("this JVM does not look for deadlocks", e);
      return false;
    }
  }

  /**
   * Orders the calling thread's stores before its later loads, as seen by a thread that {@linkplain
   * #pass passes} the fence. Costs nothing where that fence reaches all threads.
   */
  public static void meet() {
    if (!REACHES_ALL) {
      VarHandle.fullFence();
    }
  }

  /**
   * Returns after every thread has passed a fence, or where the fence can't reach them, after the
   * calling thread has. Takes as long as a safepoint: about a hundred microseconds, and more with
   * many threads.
   */
  @SuppressWarnings("CheckReturnValue") // Not the deadlocks matter, but how they are found.
  public static void pass() {
    VarHandle.fullFence();
    if (REACHES_ALL) {
      ManagementFactory.getThreadMXBean().findMonitorDeadlockedThreads();
    } else {
      // Each stack is read while its thread is stopped, so accesses that were begun before are
      // over. Slower, and no fence by contract for threads in native code.
      Thread.getAllStackTraces();
    }
    VarHandle.fullFence();
  }
}
