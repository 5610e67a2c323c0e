// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.LongAdder;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Counts the delayed requests to store files that calls of clients waited for, apart from requests
 * of compactions, prefetches and other threads of a server. A bean of the server's JVM, which is as
 * new as the moment: HBase's own metrics are seconds old, and count all threads.
 */
public final class StoreRequests implements StoreRequestsMBean {
  /** The name of the bean. */
  public static final String BEAN = "io.nvcache.bench:type=StoreRequests";

  /** HBase names the threads so that serve calls. */
  private static final String HANDLER = "RpcServer";

  private static final LongAdder OF_CLIENTS = new LongAdder();

  static {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new StoreRequests(), new ObjectName(BEAN));
    } catch (JMException e) {
      throw new IllegalStateException("no bean can be registered as " + BEAN, e);
    }
  }

  private StoreRequests() {}

  /** Keeps the thread for as long as its request takes longer. */
  static void sleep(long millis) throws InterruptedException {
    if (Thread.currentThread().getName().startsWith(HANDLER)) {
      OF_CLIENTS.increment();
    }
    Thread.sleep(millis);
  }

  @Override
  public long getOfClients() {
    return OF_CLIENTS.sum();
  }
}
