// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.memory.MemoryAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.core.OS;

/**
 * A file's bytes as memory.
 *
 * <p>Made from an open channel, never from a path: a user who may write to the directory could put
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
   * Returns if the JVM shows Chronicle Bytes what it needs for mapping.
   *
   * @throws IllegalStateException if not; names the flags that are missing
   */
  static void requireFlags() {
    MemoryAccess.require();
    Module jdk = Object.class.getModule();
    Module mapper = OS.class.getModule();
    String to = "=" + (mapper.isNamed() ? mapper.getName() : "ALL-UNNAMED");
    List<String> missing = new ArrayList<>();
    if (!jdk.isOpen("java.lang.reflect", mapper)) {
      missing.add("--add-opens java.base/java.lang.reflect" + to);
    }
    if (!jdk.isExported("sun.nio.ch", mapper)) {
      missing.add("--add-exports java.base/sun.nio.ch" + to);
    }
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "the JVM hides what mapping a file needs; start it with " + String.join(" ", missing));
    }
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
    } catch (AssertionError | LinkageError e) {
      throw new IOException("Chronicle Bytes can't map files on this JVM: " + e, e);
    }
  }

  long address() {
    return address;
  }

  /** Unmaps the file; to be called once, when no thread reads or writes there any more. */
  @Override
  public void close() {
    try {
      OS.unmap(address, lengthBytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
