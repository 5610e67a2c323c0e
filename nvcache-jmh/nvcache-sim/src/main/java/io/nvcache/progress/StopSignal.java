// SPDX-License-Identifier: Apache-2.0
package io.nvcache.progress;

/** A wish, uttered once by any thread, that a benchmark ends early and reports what it has. */
public final class StopSignal {
  private volatile boolean requested;

  /** Asks for the end. */
  public void request() {
    requested = true;
  }

  /** Whether the end was asked for. */
  public boolean isRequested() {
    return requested;
  }
}
