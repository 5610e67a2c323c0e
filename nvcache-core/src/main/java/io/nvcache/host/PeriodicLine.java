// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a line to a log at an interval, by a daemon thread, until it is closed. */
public final class PeriodicLine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicLine.class);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "nvcache-summary");
            thread.setDaemon(true);
            return thread;
          });

  private PeriodicLine() {}

  /**
   * Starts.
   *
   * @param line makes a line; what it throws is logged, and does not end the lines
   * @param interval one nanosecond or more
   */
  public static PeriodicLine start(Supplier<String> line, Consumer<String> log, Duration interval) {
    PeriodicLine lines = new PeriodicLine();
    long nanos = interval.toNanos();
    @SuppressWarnings("unused") // Ends with the timer.
    var running =
        lines.timer.scheduleAtFixedRate(() -> write(line, log), nanos, nanos, TimeUnit.NANOSECONDS);
    return lines;
  }

  private static void write(Supplier<String> line, Consumer<String> log) {
    try {
      log.accept(line.get());
    } catch (RuntimeException e) {
      LOG.warn("a summary could not be written", e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
