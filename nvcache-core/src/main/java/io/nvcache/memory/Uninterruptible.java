// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.nio.channels.FileChannel;

/**
 * Makes file channels that no interrupt closes. By default an interrupt that meets a thread in a
 * read, or on its way in, closes the channel for all threads, and the locks of its file go with it
 * ({@link java.nio.channels.InterruptibleChannel}).
 *
 * <p>The JDK has this for its own use, as a flag of its channels, whose setter no other module may
 * call without a JVM flag. Where it may not be called, the flag is set where it lies.
 */
public final class Uninterruptible {
  private Uninterruptible() {}

  /**
   * Makes a channel uninterruptible, for good.
   *
   * @return the channel
   * @throws IllegalStateException if the JDK's channels have no such flag, or the JVM hides it
   */
  public static FileChannel of(FileChannel channel) {
    MemoryAccess.require();
    RawMemory.MEMORY.makeUninterruptible(channel);
    return channel;
  }
}
