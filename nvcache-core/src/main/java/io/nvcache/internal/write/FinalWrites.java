// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.background.DaemonThread;
import io.nvcache.background.Ending;
import io.nvcache.background.Waiting;

/**
 * Has regions finished when a cache is closed: on a thread of its own, so that who closes the cache
 * need not wait for a medium that hangs. To be waited for after all calls and all other background
 * work have ended.
 */
public final class FinalWrites implements Ending {
  private final Thread thread;
  private boolean begun;

  public FinalWrites(RegionWork regions) {
    this.thread = DaemonThread.of("nvcache-finish", regions::finish);
  }

  /** Does nothing: it has not begun. */
  @Override
  public void end() {}

  /** Begins, the first time, and waits, on when interrupted: what is written is freed next. */
  @Override
  public synchronized boolean awaitEnd(long nanos) {
    if (!begun) {
      thread.start(); // May find no memory for a thread; then the next call tries again.
      begun = true;
    }
    return Waiting.join(thread, nanos);
  }
}
