// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import io.nvcache.cassandra.agent.DataFiles;
import net.bytebuddy.asm.Advice;
import org.apache.cassandra.io.compress.CompressionMetadata;
import org.apache.cassandra.io.util.FileHandle;
import org.jspecify.annotations.Nullable;

/**
 * Stands at the end of {@code FileHandle.Builder.complete(Function)}, which makes every handle
 * there is. Copied into that method; must not call anything of this package.
 */
final class TagOnOpen {
  private TagOnOpen() {}

  @Advice.OnMethodExit
  static void exit(
      @Advice.Return FileHandle handle,
      @Advice.FieldValue("compressionMetadata") @Nullable CompressionMetadata compression,
      @Advice.FieldValue("bufferSize") int bufferSize,
      @Advice.FieldValue("lengthOverride") long lengthOverride,
      @Advice.FieldValue("mmapped") boolean mapped) {
    DataFiles.opened(
        handle.channel,
        handle.compressionMetadata().orElse(null),
        handle.channel.filePath(),
        handle.onDiskLength,
        lengthOverride,
        mapped,
        compression == null ? bufferSize : compression.chunkLength());
  }
}
