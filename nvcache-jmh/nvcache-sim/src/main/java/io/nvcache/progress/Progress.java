// SPDX-License-Identifier: Apache-2.0
package io.nvcache.progress;

/** Shows how far a benchmark is. */
public interface Progress {
  /**
   * A phase begins.
   *
   * @param name what is being done
   * @param steps how many there are
   */
  Phase begin(String name, long steps);

  /** A phase under way. */
  interface Phase extends AutoCloseable {
    /**
     * Shows a step as done. May be called by any thread.
     *
     * @param step number of steps done
     * @param note the figure of the moment
     */
    void at(long step, String note);

    @Override
    void close();
  }
}
