// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file. No interrupt of a thread closes it. */
public interface DiskFile extends AutoCloseable {
  /** Writes all that remains in a buffer. */
  void write(ByteBuffer source, long position) throws IOException;

  /** Cuts the file, if it is longer. */
  void truncate(long bytes) throws IOException;

  /**
   * Has the next sync write the block before a place, in the file or at its end, though it may
   * count as written. No byte changes. What a cut put behind the end comes to the disk so.
   */
  void touch(long place) throws IOException;

  /** Returns the length in bytes. */
  long size() throws IOException;

  /**
   * Makes what was written durable, with all that the file system knows of the file. After a
   * failure the next one may lie, as on Linux.
   */
  void force() throws IOException;

  /**
   * Makes bytes and length durable, and not the times, which on a journaling file system would take
   * their own write. After a failure the next one may lie as well.
   */
  void forceData() throws IOException;

  @Override
  void close() throws IOException;
}
