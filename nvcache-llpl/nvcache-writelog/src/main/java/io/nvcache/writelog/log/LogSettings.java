// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.nio.file.Path;
import java.util.List;

/**
 * How an engine behaves.
 *
 * @param roots the directories whose files it manages; absolute, no links
 * @param orphans the directory for bytes that have no file any more
 * @param absorbsForce whether what the log holds survives a loss of power
 * @param spaceTimeoutNanos how long a write waits for room in the log
 */
public record LogSettings(
    List<Path> roots, Path orphans, boolean absorbsForce, long spaceTimeoutNanos) {
  /** Copies the roots. */
  public LogSettings {
    roots = List.copyOf(roots);
  }

  /** Returns the root that a path lies in, or null. */
  @org.jspecify.annotations.Nullable
  Path rootOf(Path path) {
    for (Path root : roots) {
      if (path.startsWith(root) && !path.equals(root)) {
        return root;
      }
    }
    return null;
  }
}
