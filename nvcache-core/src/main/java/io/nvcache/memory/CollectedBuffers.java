// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of native memory that go back when the garbage collector finds that nothing refers to
 * them, and that together never take more than a limit. They do not count in what {@code
 * -XX:MaxDirectMemorySize} bounds: at that bound the JDK collects the whole heap, and keeps the
 * caller waiting.
 */
public final class CollectedBuffers {
  private static final int ANY_ALIGNMENT = 1;

  private final long limitBytes;

  /** The bytes of all buffers that were made and not collected. */
  private final AtomicLong allocatedBytes = new AtomicLong();

  /** Makes a source of buffers that takes no memory yet. */
  public CollectedBuffers(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * Returns a buffer of zeros; null if the limit is reached, until the collector finds some of the
   * others, or if the system has no memory.
   */
  public @Nullable ByteBuffer allocate(int lengthBytes) {
    long bytes = AlignedBuffer.allocatedBytes(lengthBytes, ANY_ALIGNMENT);
    AtomicLong allocated = allocatedBytes;
    if (allocated.addAndGet(bytes) > limitBytes) {
      allocated.addAndGet(-bytes);
      return null;
    }
    AlignedBuffer buffer = null;
    try {
      buffer =
          AlignedBuffer.allocate(lengthBytes, ANY_ALIGNMENT, () -> allocated.addAndGet(-bytes));
      return buffer.whole();
    } catch (OutOfMemoryError systemHasNone) {
      return null;
    } finally {
      if (buffer == null) {
        allocated.addAndGet(-bytes);
      }
    }
  }
}
