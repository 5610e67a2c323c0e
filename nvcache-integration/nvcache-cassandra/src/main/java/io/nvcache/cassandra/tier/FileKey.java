// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.tier;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Identifies an open file: device and inode, read from the open file rather than of its path, which
 * may name another file by now.
 */
public final class FileKey {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private FileKey() {}

  /**
   * The key of an open file.
   *
   * @param descriptor the number under which this process has it open; negative if unknown
   * @param path where it was opened, for systems that do not list open files
   * @return equal for the same file; one that equals nothing if the system has none
   */
  public static Object of(int descriptor, String path) {
    Object key = null;
    if (descriptor >= 0 && Files.isDirectory(OPEN_FILES)) {
      key = read(OPEN_FILES.resolve(Integer.toString(descriptor)));
    }
    if (key == null) {
      key = read(Path.of(path));
    }
    return key == null ? new Object() : key;
  }

  private static @Nullable Object read(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }
}
