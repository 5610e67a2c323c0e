// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.background;

import io.nvcache.background.BackgroundThread;
import java.util.concurrent.TimeUnit;

/** Runs a cache's background work once a second, as the paper does (§3.1), and when woken. */
public final class MaintenanceThread implements Maintenance {
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final BackgroundThread thread;
  private volatile Runnable work = () -> {};

  /** Makes a thread that is yet to start; its name tells what for. */
  public MaintenanceThread(String purpose) {
    this.thread = new BackgroundThread(purpose, PERIOD_NANOS, () -> this.work.run());
  }

  @Override
  public void start(Runnable work) {
    this.work = work;
    thread.start();
  }

  @Override
  public void wake() {
    thread.wake();
  }

  @Override
  public void end() {
    thread.end();
  }

  @Override
  public boolean awaitEnd(long nanos) {
    return thread.awaitEnd(nanos);
  }

  @Override
  public String whereabouts() {
    return thread.whereabouts();
  }
}
