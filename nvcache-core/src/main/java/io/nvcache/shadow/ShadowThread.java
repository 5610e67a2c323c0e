// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.background.BackgroundThread;
import java.util.concurrent.TimeUnit;

/**
 * Reads events several times a second, and when a ring is half full. Started with the first use.
 */
final class ShadowThread implements LiveShadows.ShadowFeed {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final BackgroundThread thread;

  ShadowThread(Runnable work) {
    this.thread = new BackgroundThread("shadow", PERIOD_NANOS, work);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void wake() {
    thread.wake();
  }

  @Override
  public boolean hasDied() {
    return thread.hasDied();
  }

  @Override
  public void end() {
    thread.end();
  }

  @Override
  public boolean awaitEnd(long nanos) {
    return thread.awaitEnd(nanos);
  }
}
