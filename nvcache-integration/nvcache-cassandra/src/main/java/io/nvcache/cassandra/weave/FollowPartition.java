// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import io.nvcache.cassandra.agent.CompactionWork;
import io.nvcache.cassandra.agent.Compactions;
import net.bytebuddy.asm.Advice;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.util.SequentialWriter;
import org.jspecify.annotations.Nullable;

/**
 * Stands around {@code SortedTableWriter.append(UnfilteredRowIterator)}, which writes one partition
 * after the other, in each format. Copied into that method; must not call anything of this package.
 */
final class FollowPartition {
  private FollowPartition() {}

  @Advice.OnMethodEnter
  static @Nullable CompactionWork enter(
      @Advice.This SSTableWriter table,
      @Advice.FieldValue("dataWriter") SequentialWriter writer,
      @Advice.Argument(0) UnfilteredRowIterator partition) {
    CompactionWork work = Compactions.current();
    if (work != null) {
      work.begins(
          writer,
          writer.getPath(),
          table.metadata().id.hashCode(),
          partition.partitionKey().getKey(),
          writer.position());
    }
    return work;
  }

  @Advice.OnMethodExit
  static void exit(
      @Advice.FieldValue("dataWriter") SequentialWriter writer,
      @Advice.Enter @Nullable CompactionWork work) {
    if (work != null) {
      work.ends(writer, writer.position());
    }
  }
}
