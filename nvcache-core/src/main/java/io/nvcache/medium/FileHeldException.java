// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file or a device is in use by another cache. */
final class FileHeldException extends IOException {
  private static final long serialVersionUID = 1;

  FileHeldException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
