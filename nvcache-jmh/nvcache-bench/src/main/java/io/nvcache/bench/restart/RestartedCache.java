// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import java.nio.ByteBuffer;

/** A cache that finds its blocks again. */
interface RestartedCache extends AutoCloseable {
  /** Puts a block in, however long that takes. */
  void put(int block, ByteBuffer bytes);

  /** Copies a block to the beginning of {@code dst}; false if it is not there. */
  boolean get(int block, ByteBuffer dst);

  /** Returns how many blocks there are. */
  long blocks();

  /** Returns whether all is there that was found. */
  boolean isRestored();

  /** Waits until what was put in is where the cache will find it. */
  void settle();

  /** Returns the first of the blocks whose bytes are there once they are restored. */
  int firstReadable();

  @Override
  void close();
}
