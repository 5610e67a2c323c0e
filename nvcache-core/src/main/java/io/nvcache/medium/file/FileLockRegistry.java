// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The files and devices that this process holds, by what they are and not by a name of theirs.
 *
 * <p>POSIX takes a process's locks of a file away when the process closes any descriptor of it, not
 * only the one that it locked. So whether a file is held must be known before it is opened a second
 * time, and without opening it.
 *
 * <p>They are kept among the system's properties: a process may load this class several times, as
 * applications of a server do, and these are all that the copies share.
 */
final class FileLockRegistry {
  private static final String HELD = "io.nvcache.held.";
  private static final String READ = "io.nvcache.read.";

  private FileLockRegistry() {}

  /**
   * Returns what distinguishes the file of a path from all others; null if there is none. Opens
   * nothing. Two nodes of one device have one key.
   */
  static @Nullable String key(Path path) throws IOException {
    return keyOf(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns the same of what a path of an open descriptor leads to. */
  static @Nullable String keyOfDescriptor(Path path) throws IOException {
    return keyOf(path);
  }

  private static @Nullable String keyOf(Path path, LinkOption... links) throws IOException {
    try {
      if (BlockDevices.contain(path, links)) {
        return "device=" + Files.getAttribute(path, "unix:rdev", links);
      }
      Object key = Files.readAttributes(path, BasicFileAttributes.class, links).fileKey();
      return key == null ? path.toRealPath(links).toString() : key.toString();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  static boolean contain(String key) {
    return properties().getProperty(HELD + key) != null;
  }

  /** Returns whether this process reads the file without a lock. */
  static boolean isRead(String key) {
    return properties().getProperty(READ + key) != null;
  }

  /** Adds a reader, before a file is opened only to be read; {@link #removeReader} must follow. */
  static void addReader(String key) {
    properties().merge(READ + key, "+", (had, more) -> had.toString() + more);
  }

  /** Removes a reader that has closed the file. */
  static void removeReader(String key) {
    properties()
        .computeIfPresent(
            READ + key,
            (same, had) -> had.toString().length() == 1 ? null : had.toString().substring(1));
  }

  /**
   * Takes the file for one cache of the process.
   *
   * @return false if another has it
   */
  static boolean add(String key) {
    return properties().putIfAbsent(HELD + key, "1") == null;
  }

  /** Removes a file that is closed. Called once. */
  static void remove(String key) {
    properties().remove(HELD + key);
  }

  private static Properties properties() {
    return System.getProperties();
  }
}
