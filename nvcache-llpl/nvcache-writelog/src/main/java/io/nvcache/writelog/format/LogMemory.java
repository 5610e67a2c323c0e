// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

/** The memory of a log. */
public interface LogMemory extends AutoCloseable {
  /** Returns the superblock, the state and the table of files; drawn at {@link LogLayout}. */
  LogRegion head();

  /** Returns the ring of a lane. */
  LogRegion lane(int index);

  /** Gives the memory back. */
  @Override
  void close();
}
