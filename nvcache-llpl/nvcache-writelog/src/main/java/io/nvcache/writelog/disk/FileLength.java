// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.disk;

import java.io.IOException;

/** The length of a file without the log. */
@FunctionalInterface
public interface FileLength {
  /** Returns the length in bytes. */
  long bytes() throws IOException;
}
