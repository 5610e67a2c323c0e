// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The file system that the log's files lie on, as far as the log uses it. */
public interface Disk {
  /**
   * What tells a file from another one.
   *
   * @param inode its number on its file system
   * @param modifiedMillis since 1970
   * @param mode its permissions, as the nine bits of POSIX
   */
  record Identity(long inode, long modifiedMillis, int mode) {}

  /** Returns what lies at a path, a regular file and no link; null if nothing does. */
  @Nullable Identity identify(Path path) throws IOException;

  /** Returns how many names a file has; 0 if it is missing. */
  default int links(Path path) throws IOException {
    return identify(path) == null ? 0 : 1;
  }

  /** Opens a file for writing, which must be there and no link. */
  DiskFile open(Path path) throws IOException;

  /** Creates a file and the directories above it, each of which must lie in {@code root}. */
  DiskFile create(Path path, Path root, int mode) throws IOException;

  /** Makes a file durable that the log does not have open. */
  default void syncFile(Path path) throws IOException {
    try (DiskFile file = open(path)) {
      file.force();
    }
  }

  /** Makes the names in a directory durable. */
  void syncDirectory(Path directory) throws IOException;
}
