// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.log.LogEngine;
import java.io.File;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the paths of a program that lead below the roots of a log from the others, and turns them
 * into paths of the file system that is not woven. Thread-safe.
 */
final class RootPaths {
  /** What the platform puts for bytes of a name that are no characters. */
  private static final char UNKNOWN = '\ufffd';

  private final LogEngine engine;
  private final FileSystem platform;
  private final List<String> roots;
  private final OutsideNames outside = new OutsideNames(); // Directories.
  private final OutsideNames outsideFiles = new OutsideNames();

  RootPaths(LogEngine engine, FileSystem platform) {
    this.engine = engine;
    this.platform = platform;
    this.roots = engine.settings().roots().stream().map(Path::toString).toList();
  }

  /** Returns a path of the file system that is not woven; null if it is no path of the platform. */
  @Nullable Path plain(@Nullable Path path) {
    if (path == null
        || path.getFileSystem() == platform
        || path.getFileSystem().getClass() != platform.getClass()) {
      return null;
    }
    String name = path.toString();
    return name.indexOf(UNKNOWN) < 0
        ? platform.getPath(name)
        : platform.provider().getPath(path.toUri());
  }

  /** Returns the path of a file; null if it has none. */
  @Nullable Path plain(File file) {
    return file.getPath().isEmpty() ? null : plain(file.getAbsolutePath());
  }

  /** Returns the path of a name; null if it is none. */
  @Nullable Path plain(String name) {
    try {
      return name.isEmpty() ? null : platform.getPath(name);
    } catch (InvalidPathException e) {
      return null; // The JDK says what is wrong with it.
    }
  }

  private boolean isIn(@Nullable Path path) {
    return path != null && engine.settings().rootOf(path) != null;
  }

  /** Returns whether a name is in a root, by its directory. */
  boolean isName(@Nullable Path path) {
    Path directory = path == null ? null : path.toAbsolutePath().getParent();
    if (path == null || directory == null || outside.has(directory.toString())) {
      return false;
    }
    int changes = outside.changes();
    Path real = RealPaths.ofName(path);
    if (isIn(real)) {
      return true;
    }
    Path realDirectory = real == null ? null : real.getParent();
    if (realDirectory != null && !leadsToRoot(realDirectory)) {
      outside.add(directory.toString(), changes);
    }
    return false;
  }

  /** Returns whether a directory has names in a root, or a root among its own. */
  private boolean leadsToRoot(Path directory) {
    return isIn(directory)
        || engine.settings().roots().stream().anyMatch(root -> root.startsWith(directory));
  }

  /** Returns where an opening leads, if it is in a root. */
  @Nullable Path fileOf(@Nullable Path path, Set<? extends OpenOption> options) {
    String name = path == null ? "" : path.toAbsolutePath().toString();
    if (path == null || outsideFiles.has(name)) {
      return null;
    }
    int changes = outsideFiles.changes();
    Path real = RealPaths.of(path, options);
    if (isIn(real)) {
      return real;
    }
    if (real != null) {
      outsideFiles.add(name, changes);
    }
    return null;
  }

  /** What isn't a plain file may have led elsewhere by this name, or may lead there. */
  void beforeMoving(Path path) {
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      forgetOutside();
    }
  }

  /** Links or directories change. */
  void forgetOutside() {
    outside.forget();
    outsideFiles.forget();
  }

  /** Compares names only, without their links. */
  boolean isBelowRoot(@Nullable Path path) {
    if (path != null) {
      String name = path.toAbsolutePath().toString();
      for (String root : roots) {
        if (name.startsWith(root)) {
          return true;
        }
      }
    }
    return false;
  }
}
