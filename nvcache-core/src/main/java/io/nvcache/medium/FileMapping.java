// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import net.openhft.chronicle.core.OS;

/**
 * A file's bytes as memory.
 *
 * <p>Made from an open channel, never from a path: whoever may write to the directory could put
 * another file there between the opening, which locks, checks and fills, and the mapping.
 */
final class FileMapping implements AutoCloseable {
  private final long address;
  private final long lengthBytes;

  private FileMapping(long address, long lengthBytes) {
    this.address = address;
    this.lengthBytes = lengthBytes;
  }

  /**
   * Maps the file from its beginning.
   *
   * @param lengthBytes whole pages, which the file must have
   */
  static FileMapping of(FileChannel channel, long lengthBytes) throws IOException {
    try {
      return new FileMapping(
          OS.map(channel, FileChannel.MapMode.READ_WRITE, 0, lengthBytes), lengthBytes);
    } catch (AssertionError | ExceptionInInitializerError | NoClassDefFoundError e) {
      throw new IOException(
          "the JVM hides what Chronicle Bytes needs for mapping; start it with --add-opens"
              + " java.base/java.lang.reflect=ALL-UNNAMED --add-exports"
              + " java.base/jdk.internal.ref=ALL-UNNAMED --add-exports"
              + " java.base/sun.nio.ch=ALL-UNNAMED",
          e);
    }
  }

  long address() {
    return address;
  }

  /** To be called once, when nobody reads or writes there any more. */
  @Override
  public void close() {
    try {
      OS.unmap(address, lengthBytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
