// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

/** Listens to the opening of data files by Cassandra. */
@FunctionalInterface
public interface SSTableHook {
  /** A data file was opened. Does not throw; called before any other thread can read the file. */
  void opened(OpenedFile file);
}
