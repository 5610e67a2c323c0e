// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;

/** The position of a channel. Guarded by itself. */
interface Cursor {
  /** Returns the place. */
  long get() throws IOException;

  /** Moves to a place. */
  void set(long place) throws IOException;

  /** The channel was closed. */
  void close() throws IOException;
}
