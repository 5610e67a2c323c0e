// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.disk;

import java.io.IOException;

/** How long a file is without the log. */
@FunctionalInterface
public interface FileLength {
  /** Returns the length in bytes. */
  long bytes() throws IOException;
}
