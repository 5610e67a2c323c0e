// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

/** Does some work from time to time, and when woken. */
public interface Worker extends Ending {
  /** Begins, unless it has begun or ended before. */
  void start();

  /** Has the work done soon. */
  void wake();

  /** Returns whether the work is not done any more though it should be. */
  boolean hasDied();
}
