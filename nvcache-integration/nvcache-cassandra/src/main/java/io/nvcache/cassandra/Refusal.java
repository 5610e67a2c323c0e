// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.background.DaemonThread;
import io.nvcache.cassandra.tier.NodeLog;
import java.lang.instrument.Instrumentation;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Says that there will be no cache, before the node runs: at once on the standard error, and in the
 * node's log as soon as there is one.
 */
final class Refusal {
  /** Loaded late in the start of a node, long after logging was set up. */
  private static final String LATE_CLASS = "org.apache.cassandra.service.StorageService";

  private static final int ATTEMPTS = 300;

  private Refusal() {}

  static void announce(String problem, Instrumentation instrumentation) {
    String line = line(problem);
    System.err.println(line);
    DaemonThread.of("nvcache-refusal", () -> logWhenReady(line, instrumentation)).start();
  }

  /** The line in the log. */
  static String line(String problem) {
    return "NVCache is off, and the node runs as without it: " + problem;
  }

  private static void logWhenReady(String line, Instrumentation instrumentation) {
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (isReady(instrumentation)) {
          NodeLog.error(line);
          return;
        }
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isReady(Instrumentation instrumentation) {
    return Arrays.stream(instrumentation.getAllLoadedClasses())
        .anyMatch(loaded -> loaded.getName().equals(LATE_CLASS));
  }
}
