// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.file.Path;

/** Says that a file holds something that no cache is known to have written; it stays as it is. */
public final class ForeignFileException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Names the file. */
  public ForeignFileException(Path path) {
    super(
        "can't use "
            + path
            + " as a medium: it holds something that no cache is known to have written; name"
            + " another path, or delete the file");
  }
}
