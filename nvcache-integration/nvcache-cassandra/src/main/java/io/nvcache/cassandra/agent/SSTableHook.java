// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

/** Listens to the opening of data files by Cassandra. */
@FunctionalInterface
public interface SSTableHook {
  /**
   * Receives a data file that was opened. Does not throw; called before any other thread can read
   * the file.
   */
  void opened(OpenedFile file);
}
