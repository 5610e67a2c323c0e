// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.Propagation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a log's engine.
 *
 * @param roots the directories whose files it manages; absolute, no links
 * @param orphans the directory for bytes that have no file any more
 * @param absorbsForce whether what the log holds survives a loss of power
 * @param spaceTimeoutNanos how long a write waits for room in the log
 * @param propagation when a write reaches the page cache
 * @param batchRecords of deferred writes that a round of the drain takes at most
 */
public record LogSettings(
    List<Path> roots,
    Path orphans,
    boolean absorbsForce,
    long spaceTimeoutNanos,
    Propagation propagation,
    int batchRecords) {
  /** Large enough that the disk can order its writes, and small enough that writers don't stall. */
  public static final int DEFAULT_BATCH_RECORDS = 10_000;

  /** Propagates on write. */
  public LogSettings(List<Path> roots, Path orphans, boolean absorbsForce, long spaceTimeoutNanos) {
    this(
        roots,
        orphans,
        absorbsForce,
        spaceTimeoutNanos,
        Propagation.ON_WRITE,
        DEFAULT_BATCH_RECORDS);
  }

  /** Copies the roots. */
  public LogSettings {
    roots = List.copyOf(roots);
  }

  /** Returns the root that a path lies in, or null. */
  public @Nullable Path rootOf(Path path) {
    for (Path root : roots) {
      if (path.startsWith(root) && !path.equals(root)) {
        return root;
      }
    }
    return null;
  }

  /** Returns the directories that a path lies in, from the nearest up to its root. */
  public List<Path> directoriesOf(Path path) {
    Path root = rootOf(path);
    List<Path> directories = new ArrayList<>();
    for (Path directory = path.getParent();
        directory != null && root != null && directory.startsWith(root);
        directory = directory.getParent()) {
      directories.add(directory);
    }
    return directories;
  }
}
