// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import io.nvcache.progress.Progress;
import java.io.PrintWriter;

/** One line for each phase, for logs. */
final class LineProgress implements Progress {
  private final PrintWriter err;

  LineProgress(PrintWriter err) {
    this.err = err;
  }

  @Override
  public Phase begin(String name, long steps) {
    err.println(name);
    err.flush();
    return SilentProgress.PHASE;
  }
}
