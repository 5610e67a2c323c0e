// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file or a device is in use by another cache. */
public final class FileHeldException extends IOException {
  private static final long serialVersionUID = 1;

  FileHeldException(Path path, String holder, @Nullable Throwable cause) {
    super(
        "can't use " + path + ": it is held by " + holder + "; give each cache its own file",
        cause);
  }
}
