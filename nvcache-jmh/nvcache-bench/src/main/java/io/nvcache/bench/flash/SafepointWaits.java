// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * How long the JVM waited until all threads had come to a safepoint, while some read blocks: the
 * events {@code jdk.SafepointStateSynchronization} of the flight recorder. A thread that waits for
 * a page of a mapped file comes to none, and holds up all others.
 */
final class SafepointWaits {
  private static final String EVENT = "jdk.SafepointStateSynchronization";

  /** Between two safepoints that are asked for. */
  private static final long PERIOD_MILLIS = 5;

  private final List<Double> millis = new ArrayList<>();

  /** What is done while waits are recorded. */
  @FunctionalInterface
  interface Turn {
    void run() throws IOException;
  }

  /** Runs a turn, and adds the waits during it. */
  void during(Turn turn, Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "nvcache-bench-", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable(EVENT).withThreshold(Duration.ZERO);
      recording.start();
      Thread asker = new Thread(SafepointWaits::askForSafepoints, "nvcache-bench-safepoints");
      asker.start();
      try {
        turn.run();
      } finally {
        asker.interrupt();
      }
      recording.stop();
      recording.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        millis.add(event.getDuration().toNanos() / 1e6);
      }
    } finally {
      Files.delete(file);
    }
  }

  /** Looks for deadlocks, which the JVM does at a safepoint, until it is interrupted. */
  private static void askForSafepoints() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    try {
      while (true) {
        threads.findDeadlockedThreads();
        Thread.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the 99th percentile of all waits, in milliseconds; NaN if there were none. */
  double p99Millis() {
    Collections.sort(millis);
    return millis.isEmpty() ? Double.NaN : millis.get((int) (millis.size() * 0.99));
  }
}
