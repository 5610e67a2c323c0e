// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import io.nvcache.cassandra.agent.CachedFile;
import java.nio.ByteBuffer;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * Stands around {@code ChannelProxy.read(ByteBuffer, long)}: on a hit the file is not touched. An
 * untagged channel pays for one field that is null. Copied into that method; must not call anything
 * of this package.
 */
final class ReadThrough {
  private ReadThrough() {}

  /** The body of the method is left out when this is not 0. */
  @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
  static int enter(
      @Advice.FieldValue("nvcacheFile") @Nullable CachedFile file,
      @Advice.Argument(0) ByteBuffer buffer,
      @Advice.Argument(1) long position) {
    return file == null ? 0 : file.read(buffer, position);
  }

  @Advice.OnMethodExit
  static void exit(
      @Advice.FieldValue("nvcacheFile") @Nullable CachedFile file,
      @Advice.Argument(0) ByteBuffer buffer,
      @Advice.Argument(1) long position,
      @Advice.Enter int served,
      @Advice.Return(readOnly = false) int read) {
    if (served != 0) {
      read = served;
    } else if (file != null && read > 0) {
      file.missed(buffer, position, read);
    }
  }
}
