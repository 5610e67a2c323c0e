// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.util.OptionalLong;

/**
 * The files that a store serves, as the integration reports them. A cache whose small bypass is on
 * compares their bytes with {@link LiveSettings#smallBypassDramBytes()} and bypasses itself while
 * the page cache can hold them all (SoCC '22, §3.2.3, lesson 1); others only show them.
 *
 * <p>Until the first {@link #register} the size is unknown, and an unknown data set never counts as
 * small. Thread-safe.
 */
public interface DataSet {
  /**
   * Adds a file, or changes the length of a known one.
   *
   * @param fileId the file's incarnation
   * @param lengthBytes its length on disk, ≥ 0
   * @throws IllegalArgumentException if the length is negative
   */
  void register(long fileId, long lengthBytes);

  /** Takes a file out; its cached blocks stay. Unknown files are ignored. */
  void unregister(long fileId);

  /**
   * Returns the registered bytes, {@link Long#MAX_VALUE} if they are more; empty before the first
   * {@link #register}.
   */
  OptionalLong bytes();
}
