// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Operations on files by names in an open directory, wherever that lies by now: the JDK does it,
 * race-free. The files are drained before, and leave the log if they lose their names. Looks into
 * the JDK's objects.
 */
final class OpenDirectories {
  private final LogEngine engine;
  private final FileSystem platform;
  private final Field descriptor;
  private final Field pathOfView;

  /** The JDK's package must be open to this one. */
  OpenDirectories(LogEngine engine, FileSystem platform) throws ReflectiveOperationException {
    this.engine = engine;
    this.platform = platform;
    this.descriptor = field("sun.nio.fs.UnixSecureDirectoryStream", "dfd");
    this.pathOfView = field("sun.nio.fs.UnixFileAttributeViews$Basic", "file");
  }

  private static Field field(String type, String name) throws ReflectiveOperationException {
    Field field = Class.forName(type).getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Returns the path that a view of the platform's is of. */
  Path pathOf(BasicFileAttributeView view) throws IOException {
    try {
      return (Path) pathOfView.get(view);
    } catch (IllegalAccessException e) {
      throw new IOException(e);
    }
  }

  /** What becomes of a file. */
  @FunctionalInterface
  private interface Step {
    void of(LoggedFile file) throws IOException;
  }

  /** Has a file leave the log that loses its last name. */
  void beforeNameLoss(SecureDirectoryStream<?> directory, Path name) throws IOException {
    Path path = pathOf(directory, name);
    each(path, file -> settle(file, settled -> leaveWithoutName(settled, path)));
  }

  private void leaveWithoutName(LoggedFile file, @Nullable Path path) throws IOException {
    if (path != null && !file.isFoundByOtherNames(engine.links(path))) {
      file.leave();
    }
  }

  /**
   * Brings a file to the disk, or a directory's files. It stays in the log, where it is known by
   * its inode, and continues by its new name after the next drain.
   */
  void beforeRenaming(SecureDirectoryStream<?> directory, Path name) throws IOException {
    each(pathOf(directory, name), file -> settle(file, settled -> {}));
  }

  private void each(@Nullable Path path, Step step) throws IOException {
    if (path == null) {
      return;
    }
    engine.names().lock();
    try {
      for (LoggedFile file : affected(path)) {
        step.of(file);
      }
    } finally {
      engine.names().unlock();
    }
  }

  private List<LoggedFile> affected(Path path) throws IOException {
    Object key = RealPaths.keyOfName(path);
    LoggedFile named = key == null ? null : engine.find(key);
    return engine.filesAt(path, named);
  }

  private static void settle(LoggedFile file, Step next) throws IOException {
    file.lock();
    try {
      if (!file.hasLeft() && file.sickness() == null) {
        file.settle();
        next.of(file);
      }
    } finally {
      file.unlock();
    }
  }

  /** A file that is opened for writing leaves the log for good: nobody says when that ends. */
  void beforeOpening(
      SecureDirectoryStream<?> directory, Path name, Set<? extends OpenOption> options)
      throws IOException {
    Path path = ChannelOpening.writes(options) ? pathOf(directory, name) : null;
    if (path == null || !Files.isRegularFile(path)) {
      return;
    }
    engine.names().lock();
    try {
      Object key = RealPaths.keyOf(path);
      if (key != null) {
        LoggedFile file = engine.open(path, key, false);
        try {
          settle(file, LoggedFile::leave);
          file.uses().keep();
        } finally {
          file.uses().release();
        }
      }
    } finally {
      engine.names().unlock();
    }
  }

  /** Returns null if it is in no root. */
  private @Nullable Path pathOf(SecureDirectoryStream<?> directory, Path name) throws IOException {
    Object open = null;
    try {
      if (descriptor.getDeclaringClass().isInstance(directory)) {
        open = descriptor.get(directory);
      }
    } catch (IllegalAccessException e) {
      throw new IOException(e);
    }
    if (open == null || name == null) {
      return null; // The JDK says what is wrong with it.
    }
    Path at = Files.readSymbolicLink(platform.getPath("/proc/self/fd/" + open));
    Path path = at.resolve(Objects.toString(name)).normalize();
    return engine.settings().rootOf(path) == null ? null : path;
  }
}
