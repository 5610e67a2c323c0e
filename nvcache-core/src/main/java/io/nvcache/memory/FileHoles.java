// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Punches holes into a file or a block device: the file system, or the drive, gets their space
 * back, and they read as zeros. The length stays.
 *
 * <p>The JDK has no call for it, so this has its own descriptor, by {@code java.lang.foreign} on
 * JDK 22 and later. Closing it takes away the locks that the process has on the file.
 */
public abstract class FileHoles implements AutoCloseable {
  FileHoles() {}

  /**
   * Opens a file or a block device for it.
   *
   * @throws IOException if it can't be opened, or the JVM or the system has no such call; says what
   *     would help
   */
  public static FileHoles open(Path path) throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw new IOException("holes are punched into files on Linux only");
    }
    return ForeignTwin.calling(FileHoles.class, "ForeignHoles", path);
  }

  /** Returns a path that leads to the very file that is open. */
  public abstract Path descriptor();

  /** Punches a hole. At the beginning or the end of it, what is less than a block is zeroed. */
  public abstract void punch(long offset, long length) throws IOException;

  /** To be called once, after all other calls. */
  @Override
  public abstract void close();
}
