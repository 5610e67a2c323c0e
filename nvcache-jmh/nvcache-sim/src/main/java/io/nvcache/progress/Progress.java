// SPDX-License-Identifier: Apache-2.0
package io.nvcache.progress;

import java.io.PrintWriter;

/** Shows how far a benchmark is. */
@FunctionalInterface
public interface Progress {
  /**
   * A phase begins.
   *
   * @param name what is being done
   * @param steps how many there are
   */
  Phase begin(String name, long steps);

  /** Returns one that shows nothing. */
  static Progress silent() {
    return (name, steps) -> Phase.SILENT;
  }

  /** Returns one that says when each phase begins, for logs. */
  static Progress lines(PrintWriter out) {
    return (name, steps) -> {
      out.println(name);
      out.flush();
      return Phase.SILENT;
    };
  }

  /** A phase under way. */
  interface Phase extends AutoCloseable {
    /** Shows nothing. */
    Phase SILENT =
        new Phase() {
          @Override
          public void at(long step, String note) {}

          @Override
          public void close() {}
        };

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
