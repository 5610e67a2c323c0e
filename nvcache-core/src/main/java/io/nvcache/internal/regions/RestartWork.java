// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import java.io.IOException;

/**
 * The work that lets the next cache find the blocks of this one, and that finds the blocks of the
 * one before. By default there is none.
 *
 * <p>Called by one thread at a time.
 */
public interface RestartWork {
  /** The work of a cache without a restart. */
  RestartWork NONE = new RestartWork() {};

  /** Returns whether there may be more to restore. */
  default boolean isRestoring() {
    return false;
  }

  /** Restores some of what an earlier cache left. */
  default void restoreNext() {}

  /** Prepares for a piece of the log, before it is written. Returns the bytes written. */
  default int begin() throws IOException {
    return 0;
  }

  /** Completes regions whose last piece was written. Called after each piece. */
  default void endRegion() {}

  /** Writes to the medium what was revoked and is not there yet. */
  default void keepRevocations() {}

  /**
   * Takes the header of a free region away, before its blocks are discarded. Returns the bytes
   * written.
   */
  default int blank(int region) throws IOException {
    return 0;
  }

  /** Writes what the next cache needs, once no call is inside, and all else was written. */
  default void finish() {}
}
