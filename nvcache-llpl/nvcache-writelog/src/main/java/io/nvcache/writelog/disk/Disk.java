// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The file system that the log's files lie on, as far as the log uses it. */
public interface Disk {
  /** Where a file system does not say when a file was made. */
  long NO_BIRTH = 0;

  /**
   * What tells a file from another one. File systems give the number of a deleted file to the next
   * one, which has another time of birth.
   *
   * @param device of its file system, in this run of the system
   * @param inode its number on its file system
   * @param birth when it was made, in nanoseconds since 1970; {@link #NO_BIRTH} if unknown
   * @param modifiedMillis since 1970
   * @param mode its permissions, as the nine bits of POSIX
   */
  record Identity(long device, long inode, long birth, long modifiedMillis, int mode) {
    /** Returns whether both are of one file, as far as the file system tells. */
    public boolean isSameFile(@Nullable Identity other) {
      return other != null
          && device == other.device
          && inode == other.inode
          && (birth == other.birth || birth == NO_BIRTH || other.birth == NO_BIRTH);
    }
  }

  /**
   * The names of a file that this process has open.
   *
   * @param identity of the file
   * @param count how many there are
   * @param path one of them; null if the system does not tell
   */
  record Names(Identity identity, int count, @Nullable Path path) {}

  /** Returns what lies at a path, a regular file and no link; null if nothing does. */
  @Nullable Identity identify(Path path) throws IOException;

  /** Returns how many names a file has; 0 if it is missing. */
  default int links(Path path) throws IOException {
    return identify(path) == null ? 0 : 1;
  }

  /**
   * Returns the names of files that this process has open, by their inodes; none where the system
   * does not tell.
   *
   * @param any a path of the file system's provider
   */
  default Map<Long, Names> openNames(Path any, Set<Long> inodes) throws IOException {
    return Map.of();
  }

  /**
   * Looks for plain files in a directory, and follows no link.
   *
   * @param depth how far down; 1 for the directory alone
   * @param found hears of each name
   * @return whether all could be looked at
   */
  boolean search(Path directory, int depth, Set<Long> inodes, BiConsumer<Path, Identity> found)
      throws IOException;

  /** Returns the device of a directory; null if it is missing. */
  @Nullable Long device(Path directory) throws IOException;

  /**
   * Returns a number of this run of the system, through which page caches live; 0 if it is unknown.
   *
   * @param any a path of the file system's provider
   */
  default long run(Path any) {
    return BootId.current(any.getFileSystem());
  }

  /** Opens a file for writing, which must be there and no link. */
  DiskFile open(Path path) throws IOException;

  /**
   * Opens a file for what a program wrote while it could. One of this user may be read-only since,
   * or have been made so.
   */
  default DiskFile openOwn(Path path) throws IOException {
    return open(path);
  }

  /**
   * Creates a file of this user, which replaces one that is there, and the directories above it up
   * to {@code root}; only this user may use them.
   */
  DiskFile create(Path path, Path root, int mode) throws IOException;

  /** Makes a file durable that the log does not have open. */
  default void syncFile(Path path) throws IOException {
    try (DiskFile file = open(path)) {
      file.force();
    }
  }

  /** Makes the names in a directory durable. */
  void syncDirectory(Path directory) throws IOException;
}
