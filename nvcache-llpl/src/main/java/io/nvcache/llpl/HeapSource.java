// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import java.io.IOException;
import java.nio.file.Path;

/** The source of a medium's chunks: a heap of a fixed size, or several, made as needed. */
interface HeapSource {
  /** Returns what was named: a file or a directory. */
  Path path();

  /** Returns the directory of the heaps. */
  Path directory();

  /**
   * Returns the address of a new chunk, zeroed, on a page. Called by one thread at a time.
   *
   * @throws IOException if the heap, or the disk, has no room for it
   */
  long allocate(long lengthBytes) throws IOException;

  /** Writes what was stored to the disk; on a DAX file system it is there. */
  void force() throws IOException;

  /** Deletes the files and unmaps the heaps. Reading one of their addresses then ends the JVM. */
  void delete() throws IOException;
}
