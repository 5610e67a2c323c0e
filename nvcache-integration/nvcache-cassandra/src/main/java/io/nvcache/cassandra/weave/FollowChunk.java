// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import io.nvcache.cassandra.agent.CachedFile;
import io.nvcache.cassandra.agent.Compactions;
import net.bytebuddy.asm.Advice;
import org.apache.cassandra.io.compress.CompressionMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Stands at the end of {@code CompressionMetadata.chunkFor(long)}, which readers ask for each chunk
 * before they decompress it, also where they read many chunks ahead. Copied into that method; must
 * not call anything of this package.
 */
final class FollowChunk {
  private FollowChunk() {}

  @Advice.OnMethodExit
  static void exit(
      @Advice.FieldValue("nvcacheFile") @Nullable CachedFile file,
      @Advice.Return CompressionMetadata.Chunk chunk) {
    if (file != null) {
      Compactions.reads(file, chunk.offset);
    }
  }
}
