// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Listens to compactions, and to the queries whose rows they move. No method throws. */
public interface CompactionHook {
  /**
   * Begins to follow a compaction on the calling thread.
   *
   * @return what hears of it until it ends; null if it is not followed
   */
  @Nullable CompactionWork begin();

  /**
   * Notes that a query looks a partition up.
   *
   * @param table tells the tables of a node apart
   * @param key of the partition; unchanged when the method returns
   */
  void queried(int table, ByteBuffer key);
}
