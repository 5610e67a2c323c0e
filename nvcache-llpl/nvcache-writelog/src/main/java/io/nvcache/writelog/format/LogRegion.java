// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A part of the log's memory. Numbers are little-endian. A store reaches the medium at some time
 * after it, in no order, as 8-byte words; only {@link #persist} fixes that it has.
 *
 * <p>Not thread-safe, except that {@link #view} and the reads may be used next to a writer of other
 * bytes.
 */
public interface LogRegion {
  /** Returns the length in bytes. */
  int bytes();

  /** Returns the 8 bytes at an offset. */
  long getLong(int at);

  /** Stores 8 bytes; at an offset that 8 divides, a crash keeps all of them or none. */
  void putLong(int at, long value);

  /** Returns the 4 bytes at an offset. */
  int getInt(int at);

  /** Stores 4 bytes. */
  void putInt(int at, int value);

  /** Copies bytes of a buffer, whose position stays. */
  void put(int at, ByteBuffer source, int from, int length);

  /** Copies bytes to a buffer, whose position stays. */
  void get(int at, ByteBuffer target, int to, int length);

  /** Adds bytes to a checksum. For the thread that writes. */
  void sum(CRC32C sum, int at, int length);

  /** Returns a buffer over bytes, for reading. */
  ByteBuffer view(int at, int length);

  /**
   * Returns once the bytes are on the medium: writes their cache lines back, then one fence.
   *
   * @throws IOException if the system can't write them; some of them may be there
   */
  void persist(int at, int length) throws IOException;
}
