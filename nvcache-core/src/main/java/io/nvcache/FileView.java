// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/**
 * A view of a file, shared by all who read its cached blocks in place: where each block was found
 * last, so that it is found again without a search. Takes eight bytes of heap for each block that
 * was found, within a bound for all files of the cache: past it, what was noted first is forgotten.
 *
 * <p>Thread-safe.
 */
public interface FileView extends AutoCloseable {
  /** Returns a cursor that no one else has, at no block. */
  BlockCursor cursor();

  /**
   * Forgets where blocks were found. Its cursors stay usable, and search for each block from then
   * on.
   */
  @Override
  void close();
}
