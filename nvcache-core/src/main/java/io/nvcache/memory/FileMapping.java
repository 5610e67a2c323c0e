// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * A file's bytes as memory.
 *
 * <p>Made from an open channel, never from a path: a user who may write to the directory could put
 * another file there between the opening, which locks, checks and fills, and the mapping.
 */
public final class FileMapping implements AutoCloseable {
  private final AddressedMemory.Range range;

  private FileMapping(AddressedMemory.Range range) {
    this.range = range;
  }

  /**
   * Returns if the JVM lets files be mapped.
   *
   * @throws IllegalStateException if not; names the flags that are missing
   */
  public static void requireFlags() {
    MemoryAccess.require();
    RawMemory.MEMORY.requireMapping();
  }

  /**
   * Maps the file from its beginning.
   *
   * @param lengthBytes whole pages, which the file must have
   */
  public static FileMapping of(FileChannel channel, long lengthBytes) throws IOException {
    return new FileMapping(RawMemory.MEMORY.map(channel, lengthBytes));
  }

  /** Returns the address of the first byte, at the beginning of a page. */
  public long address() {
    return range.address();
  }

  /** To be called once, when no thread reads or writes there any more. */
  @Override
  public void close() {
    range.release();
  }
}
