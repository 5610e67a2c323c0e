// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import io.nvcache.cassandra.agent.Compactions;
import net.bytebuddy.asm.Advice;
import org.apache.cassandra.db.SinglePartitionReadQuery;

/**
 * Stands at the start of {@code SinglePartitionReadCommand.queryMemtableAndDisk}, where queries of
 * one partition go that the row cache does not answer. Names an interface of that class: to weave
 * it must not load it. Copied into that method; must not call anything of this package.
 */
final class FollowQuery {
  private FollowQuery() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.This SinglePartitionReadQuery query) {
    Compactions.queried(query.metadata().id.hashCode(), query.partitionKey().getKey());
  }
}
