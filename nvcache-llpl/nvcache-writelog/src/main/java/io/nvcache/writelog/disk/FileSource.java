// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The contents of a file without the log. */
@FunctionalInterface
public interface FileSource {
  /**
   * Reads into a buffer from a place of the file on.
   *
   * @return how many bytes; -1 at the end
   */
  int read(ByteBuffer target, long position) throws IOException;
}
