// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Resolution of the platform's paths. */
final class RealPaths {
  /** As Linux. */
  private static final int MAX_LINKS = 40;

  private RealPaths() {}

  /** Returns where a path leads; null if the platform is to say what is wrong with it. */
  static @Nullable Path of(Path path, Set<? extends OpenOption> options) {
    try {
      Path absolute = path.toAbsolutePath();
      boolean follows =
          !options.contains(LinkOption.NOFOLLOW_LINKS)
              && !options.contains(StandardOpenOption.CREATE_NEW);
      if (follows && Files.exists(absolute)) {
        return absolute.toRealPath();
      }
      if (Files.isSymbolicLink(absolute)) {
        return follows && options.contains(StandardOpenOption.CREATE) ? ofNew(absolute) : null;
      }
      Path name = absolute.getFileName();
      Path directory = absolute.getParent();
      return name == null || directory == null
          ? null
          : directory.toRealPath().resolve(name).normalize();
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns where a link leads to nothing, and an opening makes a file; null if it can't. */
  private static @Nullable Path ofNew(Path link) {
    Path target = ofNearest(link);
    Path directory = target == null ? null : target.getParent();
    return directory != null && Files.isDirectory(directory) ? target : null;
  }

  /**
   * Returns where a path leads, as far as it is there: of what is missing the names are appended.
   * Links that lead to nothing lead on as well.
   */
  static @Nullable Path ofNearest(Path path) {
    Path all = path.toAbsolutePath();
    Path there = all;
    for (int links = 0; links < MAX_LINKS && there != null; ) {
      try {
        return there.toRealPath().resolve(there.relativize(all)).normalize();
      } catch (IOException e) {
        Path target = targetOf(there);
        if (target != null) {
          all = there.resolveSibling(target).resolve(there.relativize(all));
          there = all;
          links++;
        } else {
          there = there.getParent();
        }
      }
    }
    return null;
  }

  private static @Nullable Path targetOf(Path link) {
    try {
      return Files.isSymbolicLink(link) ? Files.readSymbolicLink(link) : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns a name with its directory's links resolved. */
  static @Nullable Path ofName(Path path) {
    return of(path, Set.of(LinkOption.NOFOLLOW_LINKS, StandardOpenOption.CREATE_NEW));
  }

  /** Returns whether a file is there and no link, or may be made. */
  static boolean isPlain(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        || Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns what tells the file that a path leads to from others; null if there is none. */
  static @Nullable Object keyOf(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null; // The platform says what is wrong with it.
    }
  }

  /** Returns what tells the file of a name from others, a link by itself; null without one. */
  static @Nullable Object keyOfName(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
