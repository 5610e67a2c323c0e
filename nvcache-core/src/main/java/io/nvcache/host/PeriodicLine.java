// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import io.nvcache.background.BackgroundThread;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Gives a line to a log at an interval, by a daemon thread, until it is closed. */
public final class PeriodicLine implements AutoCloseable {
  private final BackgroundThread thread;

  private PeriodicLine(BackgroundThread thread) {
    this.thread = thread;
  }

  /**
   * Starts to log lines.
   *
   * @param line makes a line; what it throws is logged, and does not end the lines
   * @param interval one nanosecond or more
   */
  public static PeriodicLine start(Supplier<String> line, Consumer<String> log, Duration interval) {
    BackgroundThread thread =
        new BackgroundThread("summary", interval.toNanos(), () -> log.accept(line.get()));
    thread.start();
    return new PeriodicLine(thread);
  }

  @Override
  public void close() {
    thread.end();
  }
}
