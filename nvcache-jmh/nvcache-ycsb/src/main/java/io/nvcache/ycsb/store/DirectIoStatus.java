// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

/**
 * Whether reads go to the disk past the page cache.
 *
 * @param mode whether they do
 * @param reason how that was found out, for people
 */
public record DirectIoStatus(Mode mode, String reason) {
  /** The two ways of reading. */
  public enum Mode {
    /** Reads use O_DIRECT. */
    ENABLED,
    /** The file system refused O_DIRECT; reads are buffered, and the page cache may answer them. */
    REFUSED
  }
}
