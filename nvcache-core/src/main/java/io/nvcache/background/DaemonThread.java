// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.util.concurrent.ThreadFactory;

/**
 * Makes daemon threads that hold nothing of whoever has them made. A cache is built, and read, by
 * the threads of applications that come and go in one process: a thread that inherited a context
 * class loader, thread locals, a thread group or an access control context would keep the
 * application's classes for as long as it runs.
 */
public final class DaemonThread {
  /** A context without classes of callers, of which a thread's is made by default. */
  @SuppressWarnings("removal") // Nothing replaces it, and JDKs without it keep no context.
  private static final AccessControlContext NOBODY =
      new AccessControlContext(new ProtectionDomain[0]);

  private DaemonThread() {}

  /** Makes a thread that is yet to start. */
  @SuppressWarnings("removal")
  public static Thread of(String name, Runnable work) {
    return AccessController.doPrivileged(
        (PrivilegedAction<Thread>)
            () -> {
              Thread thread = new Thread(outermostGroup(), work, name, 0, false);
              thread.setDaemon(true);
              thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
              return thread;
            },
        NOBODY);
  }

  /** Makes the threads of an executor, which all have one name. */
  public static ThreadFactory named(String name) {
    return work -> of(name, work);
  }

  /**
   * Returns a group that outlives the caller's: a log or a cache may be opened by the first of many
   * requests or tests, whose threads are ended together.
   */
  private static ThreadGroup outermostGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }
}
