// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.io.IOException;
import java.nio.file.Path;

/** A file system that has the file, and does not let it be accessed past the page cache. */
final class NoDirectAccessException extends IOException {
  private static final long serialVersionUID = 1L;

  NoDirectAccessException(Path path, Exception cause) {
    super(
        "can't open "
            + path
            + ": its file system"
            + type(path)
            + " refuses direct I/O; name a file on ext4 or XFS of a local disk, or use native"
            + " memory instead of a file in memory",
        cause);
  }

  private static String type(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    String type = parent == null ? "" : FileSystemAdvice.type(parent);
    return type.isEmpty() ? "" : " (" + type + ")";
  }
}
