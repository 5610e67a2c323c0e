// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The files that this process holds, by what they are and not by a name of theirs.
 *
 * <p>POSIX takes a process's locks of a file away when the process closes any descriptor of it, not
 * only the one that it locked. So whether a file is held must be known before it is opened a second
 * time, and without opening it.
 */
final class FileLockRegistry {
  private static final Map<Object, LockedFile> BY_KEY = new ConcurrentHashMap<>();
  private static final Map<Object, Integer> READERS = new ConcurrentHashMap<>();

  private FileLockRegistry() {}

  /**
   * Returns what distinguishes the file of a path from all others; null if there is none. Opens
   * nothing.
   */
  static @Nullable Object key(Path path) throws IOException {
    try {
      Object key =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey();
      return key == null ? path.toRealPath(LinkOption.NOFOLLOW_LINKS) : key;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  static boolean contain(Object key) {
    return BY_KEY.containsKey(key);
  }

  /** Returns whether this process reads the file without a lock. */
  static boolean isRead(Object key) {
    return READERS.containsKey(key);
  }

  /** To be called before a file is opened only to be read; {@link #removeReader} must follow. */
  static void addReader(Object key) {
    READERS.merge(key, 1, Integer::sum);
  }

  /** To be called when a reader has closed the file. */
  static void removeReader(Object key) {
    READERS.computeIfPresent(key, (same, readers) -> readers == 1 ? null : readers - 1);
  }

  static void add(Object key, LockedFile file) {
    BY_KEY.put(key, file);
  }

  /** To be called when the file is closed. Does nothing the second time. */
  static void remove(Object key, LockedFile file) {
    BY_KEY.remove(key, file);
  }
}
