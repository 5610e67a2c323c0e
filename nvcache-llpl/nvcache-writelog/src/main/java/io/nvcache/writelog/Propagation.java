// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

/** The time at which a write that the log holds reaches the page cache of its file. */
public enum Propagation {
  /**
   * Before it returns. All programs see it at once, also through {@code java.io}, a mapping, or
   * from another process.
   */
  ON_WRITE,

  /**
   * Later, in batches. A write costs only its append to the log; channels and streams of the log's
   * file system read it from there. Other readers see the file as it was until the drain comes.
   */
  DEFERRED
}
