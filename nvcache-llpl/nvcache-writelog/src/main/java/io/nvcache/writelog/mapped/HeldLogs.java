// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The logs that this process has open, by what tells their files from others.
 *
 * <p>POSIX takes all locks of a process on a file away when the process closes any descriptor of
 * it. So while this process holds a log, it opens the file for nothing else, and while it reads a
 * log, it opens it not.
 *
 * <p>Guarded by the class {@link LogChannel}.
 */
final class HeldLogs {
  private static final Map<Object, FileChannel> HELD = new HashMap<>();

  /** How many read a file that is not held. */
  private static final Map<Object, Integer> READERS = new HashMap<>();

  private HeldLogs() {}

  /** Returns what tells a file from others; null if there is none. */
  static @Nullable Object key(Path path) throws IOException {
    return key(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the same of the file that a link to a descriptor leads to. */
  static @Nullable Object keyOfOpened(Path descriptor) throws IOException {
    return key(descriptor, new LinkOption[0]);
  }

  private static @Nullable Object key(Path path, LinkOption... links) throws IOException {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class, links).fileKey();
      return key == null ? path.toAbsolutePath().normalize() : key;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  static @Nullable FileChannel held(@Nullable Object key) {
    return key == null ? null : HELD.get(key);
  }

  static boolean isRead(@Nullable Object key) {
    return key != null && READERS.containsKey(key);
  }

  static void add(Object key, FileChannel channel) {
    HELD.put(key, channel);
  }

  /** Does nothing the second time. */
  static void remove(Object key, FileChannel channel) {
    HELD.remove(key, channel);
  }

  static void addReader(Object key) {
    READERS.merge(key, 1, Integer::sum);
  }

  static void removeReader(Object key) {
    READERS.computeIfPresent(key, (same, readers) -> readers == 1 ? null : readers - 1);
  }
}
