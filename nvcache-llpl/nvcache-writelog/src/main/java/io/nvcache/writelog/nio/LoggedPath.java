// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A path of the platform, seen through a file system over a write log. */
final class LoggedPath implements Path {
  private final LoggedFileSystem files;
  private final Path path;

  LoggedPath(LoggedFileSystem files, Path path) {
    this.files = files;
    this.path = path;
  }

  /** Returns the platform's path. */
  Path platform() {
    return path;
  }

  private Path wrap(Path other) {
    return new LoggedPath(files, other);
  }

  private @Nullable Path wrapOrNull(@Nullable Path other) {
    return other == null ? null : wrap(other);
  }

  private static Path unwrap(Path other) {
    if (other instanceof LoggedPath logged) {
      return logged.path;
    }
    if (other == null) {
      throw new NullPointerException("other");
    }
    throw new ProviderMismatchException(
        other.getClass().getName() + " is not of the write log's file system");
  }

  @Override
  public FileSystem getFileSystem() {
    return files;
  }

  @Override
  public boolean isAbsolute() {
    return path.isAbsolute();
  }

  @Override
  public @Nullable Path getRoot() {
    return wrapOrNull(path.getRoot());
  }

  @Override
  public @Nullable Path getFileName() {
    return wrapOrNull(path.getFileName());
  }

  @Override
  public @Nullable Path getParent() {
    return wrapOrNull(path.getParent());
  }

  @Override
  public int getNameCount() {
    return path.getNameCount();
  }

  @Override
  public Path getName(int index) {
    return wrap(path.getName(index));
  }

  @Override
  public Path subpath(int begin, int end) {
    return wrap(path.subpath(begin, end));
  }

  @Override
  public boolean startsWith(Path other) {
    return other instanceof LoggedPath logged
        ? logged.files == files && path.startsWith(logged.path)
        : !isPath(other);
  }

  @Override
  public boolean endsWith(Path other) {
    return other instanceof LoggedPath logged
        ? logged.files == files && path.endsWith(logged.path)
        : !isPath(other);
  }

  /** Throws for null, as every path does. */
  private static boolean isPath(Path other) {
    return other.getFileSystem() != null;
  }

  @Override
  public Path normalize() {
    return wrap(path.normalize());
  }

  @Override
  public Path resolve(Path other) {
    return wrap(path.resolve(unwrap(other)));
  }

  @Override
  public Path relativize(Path other) {
    return wrap(path.relativize(unwrap(other)));
  }

  @Override
  public URI toUri() {
    return files.uri(path.toUri());
  }

  @Override
  public Path toAbsolutePath() {
    return path.isAbsolute() ? this : wrap(path.toAbsolutePath());
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    return wrap(path.toRealPath(options));
  }

  /** Not the platform's, whose path is not of the default file system any more. */
  @Override
  public File toFile() {
    if (!files.isDefault()) {
      throw new UnsupportedOperationException("a path of a write log is no File");
    }
    return new File(path.toString());
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
      throws IOException {
    if (watcher instanceof LoggedWatchService logged) {
      return logged.register(this, events, modifiers);
    }
    if (watcher == null) {
      throw new NullPointerException("watcher");
    }
    throw new ProviderMismatchException(
        watcher.getClass().getName() + " is not of the write log's file system");
  }

  @Override
  public WatchKey register(WatchService watcher, WatchEvent.Kind<?>... events) throws IOException {
    return register(watcher, events, new WatchEvent.Modifier[0]);
  }

  @Override
  public Iterator<Path> iterator() {
    Iterator<Path> names = path.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return names.hasNext();
      }

      @Override
      public Path next() {
        return wrap(names.next());
      }
    };
  }

  @Override
  public int compareTo(Path other) {
    return path.compareTo(((LoggedPath) other).path);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LoggedPath logged && logged.files == files && logged.path.equals(path);
  }

  @Override
  public int hashCode() {
    return path.hashCode();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
