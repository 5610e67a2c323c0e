// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.weave;

import io.nvcache.cassandra.agent.DataFiles;
import net.bytebuddy.asm.Advice;
import org.apache.cassandra.io.util.ChannelProxy;

/**
 * Stands at the start of {@code FileHandle.Cleanup.tidy()}, which runs once, after the last copy of
 * a handle was closed, while its file is still there. Copied into that method; must not call
 * anything of this package.
 */
final class ReleaseOnTidy {
  private ReleaseOnTidy() {}

  @Advice.OnMethodEnter
  static void enter(@Advice.FieldValue("channel") ChannelProxy channel) {
    DataFiles.closing(channel);
  }
}
