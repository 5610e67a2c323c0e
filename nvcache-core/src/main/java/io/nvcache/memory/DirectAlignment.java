// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.nio.channels.FileChannel;

/**
 * The alignment of direct I/O. The JDK takes the preferred length of a file system's transfers for
 * it, which is 1 MiB on some network file systems; what they demand is a sector.
 */
public final class DirectAlignment {
  private DirectAlignment() {}

  /**
   * Has a channel of the JDK's that was opened for direct I/O take another alignment, for good.
   *
   * @param bytes a power of two
   * @throws IllegalStateException if the JVM does not let it be set
   */
  public static void set(FileChannel channel, int bytes) {
    MemoryAccess.require();
    try {
      UnsafeMemory.setAlignment(channel, bytes);
    } catch (LinkageError e) {
      throw new IllegalStateException("the JVM denies how direct I/O is aligned", e);
    }
  }
}
