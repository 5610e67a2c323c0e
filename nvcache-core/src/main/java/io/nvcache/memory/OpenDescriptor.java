// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A path to the very file that a channel has open, wherever the file's own path leads by now. */
public final class OpenDescriptor {
  private OpenDescriptor() {}

  /** Returns the path, which is a link to follow; null where the system or the JVM hides it. */
  public static @Nullable Path of(FileChannel channel) {
    try {
      Path descriptor =
          Path.of("/proc/self/fd", Integer.toString(UnsafeMemory.descriptor(channel)));
      return Files.exists(descriptor) ? descriptor : null;
    } catch (LinkageError | RuntimeException hidden) {
      return null;
    }
  }
}
