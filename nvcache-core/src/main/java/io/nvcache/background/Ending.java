// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

/** Background work that can be ended and waited for. */
public interface Ending {
  /** Lets nothing of it begin again. Never blocks. */
  void end();

  /**
   * Waits until none of it runs any more, after {@link #end}.
   *
   * @return whether that is so within the time given; at once false to the work itself, which can't
   *     wait for its own end
   */
  boolean awaitEnd(long nanos);
}
