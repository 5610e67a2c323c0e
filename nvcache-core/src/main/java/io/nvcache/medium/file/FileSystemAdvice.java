// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The properties that a file system reports. All of it is advice: in a chroot, or where {@code
 * /proc/mounts} lacks the file system, the JDK finds none, and network file systems report more
 * room than there can be, or none. Callers continue without.
 */
final class FileSystemAdvice {
  /** No file system is larger; some say so when they don't know. */
  private static final long MOST_BYTES = 1L << 60;

  /** No cache counts larger granules. */
  private static final int MAX_GRANULE_BYTES = 64 << 10;

  private static final int USUAL_GRANULE_BYTES = 4096;

  private FileSystemAdvice() {}

  /** What there is to ask; replaced in tests. */
  @FunctionalInterface
  interface Store {
    FileStore of(Path path) throws IOException;
  }

  private static volatile Store stores = Files::getFileStore;

  /** Has other answers given, until the result is closed. For tests. */
  static AutoCloseable answeredBy(Store replaced) {
    Store before = stores;
    stores = replaced;
    return () -> stores = before;
  }

  /** Returns the room that is left; empty if it is not known. */
  static OptionalLong usableBytes(Path path) {
    try {
      FileStore store = stores.of(path);
      long usable = store.getUsableSpace();
      boolean unknown =
          usable < 0 || usable >= MOST_BYTES || (usable == 0 && store.getTotalSpace() == 0);
      return unknown ? OptionalLong.empty() : OptionalLong.of(usable);
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns what the JDK demands of positions, lengths and addresses of direct I/O. */
  static int granuleBytes(Path path) {
    return blockBytes(path).orElse(USUAL_GRANULE_BYTES);
  }

  /** Returns the size of its blocks, as far as that is one that direct I/O may have. */
  static OptionalInt blockBytes(Path path) {
    try {
      long bytes = stores.of(path).getBlockSize();
      return Long.bitCount(bytes) == 1 && bytes >= Mark.SECTOR_BYTES && bytes <= MAX_GRANULE_BYTES
          ? OptionalInt.of((int) bytes)
          : OptionalInt.empty();
    } catch (IOException | RuntimeException e) {
      return OptionalInt.empty();
    }
  }

  /**
   * Returns whether nothing can be written there. Mount options don't always tell, as of ext4 after
   * an error, nor does the reason of a failure, which may be translated.
   */
  static boolean isReadOnly(Path path, IOException failure) {
    return String.valueOf(failure.getMessage()).contains("Read-only file system")
        || isReadOnly(path);
  }

  private static boolean isReadOnly(Path path) {
    try {
      return stores.of(path).isReadOnly();
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  static boolean isInMemory(Path path) {
    return List.of("tmpfs", "ramfs").contains(type(path));
  }

  /** Returns its type, such as {@code ext4}; empty if it is not known. */
  static String type(Path path) {
    try {
      return stores.of(path).type();
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }
}
