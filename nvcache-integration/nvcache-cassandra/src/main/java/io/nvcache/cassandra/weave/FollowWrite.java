// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import io.nvcache.cassandra.agent.CompactionWork;
import io.nvcache.cassandra.agent.Compactions;
import net.bytebuddy.asm.Advice;
import org.apache.cassandra.io.util.SequentialWriter;

/**
 * Stands around {@code CompressedSequentialWriter.flushData()}, which writes one chunk and its
 * checksum. Copied into that method; must not call anything of this package.
 */
final class FollowWrite {
  private FollowWrite() {}

  @Advice.OnMethodEnter
  static long enter(@Advice.FieldValue("chunkOffset") long offset) {
    return offset;
  }

  @Advice.OnMethodExit
  static void exit(
      @Advice.This SequentialWriter writer,
      @Advice.Enter long offset,
      @Advice.FieldValue("chunkOffset") long end) {
    CompactionWork work = Compactions.current();
    if (work != null) {
      work.wrote(writer, offset, end);
    }
  }
}
