// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.background.DaemonThread;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** The threads of asynchronous channels without their own executor. */
final class AsyncThreads {
  /** Names the class that makes them, in the platform's channels as in these. */
  private static final String FACTORY = "java.nio.channels.DefaultThreadPool.threadFactory";

  static final ExecutorService DEFAULT = Executors.newCachedThreadPool(factory());

  private AsyncThreads() {}

  private static ThreadFactory factory() {
    String name = System.getProperty(FACTORY);
    if (name == null) {
      return DaemonThread.named("nvcache-write-log-async");
    }
    try {
      return Class.forName(name, true, ClassLoader.getSystemClassLoader())
          .asSubclass(ThreadFactory.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalStateException(
          FACTORY + " is " + name + "; it must name a public ThreadFactory without parameters", e);
    }
  }
}
