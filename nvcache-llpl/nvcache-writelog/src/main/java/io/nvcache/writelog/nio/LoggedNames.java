// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.log.NameChanges;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes names for a {@link WriteLogFileSystemProvider}: has the log know of those in its roots,
 * and makes new ones durable. Paths are the platform's.
 */
final class LoggedNames {
  private final FileSystemProvider platform;
  private final LogOpening opening;

  LoggedNames(FileSystemProvider platform, LogOpening opening) {
    this.platform = platform;
    this.opening = opening;
  }

  /** Returns whether a path is below one of the log's roots. */
  static boolean isIn(WriteLog open, Path path) {
    return open.engine().settings().rootOf(path) != null;
  }

  /** Returns the log if a path lies in it, with its directory's links resolved. */
  @Nullable WriteLog logOf(@Nullable Path real) {
    WriteLog open = opening.log();
    return open != null && real != null && isIn(open, real) ? open : null;
  }

  /** Deletes a name. */
  void delete(Path path) throws IOException {
    Path real = RealPaths.ofName(path);
    WriteLog open = logOf(real);
    if (open == null || real == null) {
      platform.delete(path);
    } else {
      NameChanges.delete(
          open.engine(), real, () -> RealPaths.keyOfName(real), () -> platform.delete(real));
    }
  }

  /** Renames a file or directory, or copies it to another file system. */
  void move(Path from, Path to, CopyOption... options) throws IOException {
    Path realFrom = RealPaths.ofName(from);
    Path realTo = RealPaths.ofName(to);
    WriteLog open = logOf(realFrom) == null ? logOf(realTo) : logOf(realFrom);
    if (open == null || realFrom == null || realTo == null) {
      platform.move(from, to, options);
      return;
    }
    NameChanges.move(
        open.engine(),
        realFrom,
        realTo,
        () -> keyOfFile(realTo),
        () -> move(open, realFrom, realTo, options));
  }

  /** Returns the file of a path by its key: any other name or link may lead to it. */
  static @Nullable LoggedFile fileOf(LogEngine engine, Path path) {
    Object key = RealPaths.keyOf(path);
    return key == null ? null : engine.find(key);
  }

  /** Returns the key of a file; null for a directory, or what is not there. */
  static @Nullable Object keyOfFile(Path path) throws IOException {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? null : RealPaths.keyOfName(path);
  }

  /** A move to another file system copies. */
  private void move(WriteLog open, Path from, Path to, CopyOption... options) throws IOException {
    Object key = RealPaths.keyOfName(from);
    platform.move(from, to, options);
    if (isIn(open, to) && !Objects.equals(key, RealPaths.keyOfName(to))) {
      open.engine().syncFile(to);
    }
  }

  /** Copies a file, whose deferred bytes others see already. */
  void copy(Path from, Path to, CopyOption... options) throws IOException {
    Path real = RealPaths.ofName(to);
    WriteLog open = logOf(real);
    if (open == null || real == null) {
      platform.copy(from, to, options);
      return;
    }
    if (!Arrays.asList(options).contains(StandardCopyOption.REPLACE_EXISTING)) {
      copy(open, from, real, options);
      open.engine().syncDirectories(real);
    } else if (RealPaths.keyOfName(real) != null && Files.isSameFile(from, real)) {
      platform.copy(from, to, options);
    } else {
      NameChanges.delete(
          open.engine(), real, () -> keyOfFile(real), () -> copy(open, from, real, options));
    }
  }

  /** Leaves no copy in the page cache alone, which a log that absorbs its sync never saw. */
  private void copy(WriteLog open, Path from, Path to, CopyOption... options) throws IOException {
    platform.copy(from, to, options);
    open.engine().syncFile(to);
  }

  /** Makes a new name durable, if it is in a root. */
  void made(Path path) throws IOException {
    Path real = RealPaths.ofName(path);
    WriteLog open = logOf(real);
    if (open != null && real != null) {
      open.engine().syncDirectories(real);
    }
  }

  /** An opening by the platform. */
  @FunctionalInterface
  interface Opening<C extends Channel> {
    C run() throws IOException;
  }

  /** Opens a file that is to be deleted when it is closed: on Linux its name goes at once. */
  <C extends Channel> C openToDelete(Path path, Set<? extends OpenOption> options, Opening<C> opens)
      throws IOException {
    Path real = RealPaths.ofName(path);
    WriteLog open = logOf(real);
    if (open == null || real == null) {
      return opens.run();
    }
    if (ChannelOpening.writes(options)) {
      new ChannelOpening(platform, open.engine()).leave(real);
    }
    List<C> opened = new ArrayList<>();
    try {
      NameChanges.delete(
          open.engine(), real, () -> LoggedNames.keyOfFile(real), () -> opened.add(opens.run()));
    } catch (IOException | RuntimeException | Error e) {
      for (C channel : opened) {
        channel.close();
      }
      throw e;
    }
    return opened.get(0);
  }
}
