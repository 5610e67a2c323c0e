// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdk.nio.mapmode.ExtendedMapMode;

/**
 * A check whether files of a directory are persistent memory when mapped (DAX), or pages of the
 * page cache. LLPL does not say; the kernel does, by its answer to a mapping with {@code MAP_SYNC}.
 */
final class DaxProbe {
  private static final int PROBE_BYTES = 4096;

  private DaxProbe() {}

  /** False also where it can't be found out: that promises less. */
  static boolean isDax(Path directory) {
    try {
      Path probe = Files.createTempFile(directory, ".nvcache-dax", null);
      try (FileChannel channel =
          FileChannel.open(
              probe,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE)) {
        channel.write(ByteBuffer.allocate(PROBE_BYTES), 0);
        channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, PROBE_BYTES);
        return true;
      }
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
