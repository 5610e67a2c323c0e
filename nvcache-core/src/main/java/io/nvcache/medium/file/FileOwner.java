// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.memory.SmallFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a file that was there before to its owner. A file of another user's is taken if it was
 * given to a group of this one's, as volumes of a container are, and with a warning; not if anybody
 * may write to it, as to one that was left as a bait in a directory of all users.
 */
final class FileOwner {
  static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

  private static final Logger LOG = LoggerFactory.getLogger(FileOwner.class);
  private static final Integer ROOT = 0;

  private FileOwner() {}

  /**
   * Takes all others' permissions away, as far as this user may.
   *
   * @param path of the file, for messages
   * @param opened leads to the file that is open
   * @return what it had, if that was more; null if not
   * @throws IOException if the file is another user's who did not give it to this one
   */
  static @Nullable Set<PosixFilePermission> keep(Path path, Path opened, LinkOption... links)
      throws IOException {
    PosixFileAttributeView posix =
        Files.getFileAttributeView(opened, PosixFileAttributeView.class, links);
    if (posix == null || !path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return null;
    }
    // By one call: what the path leads to may change between two.
    Map<String, Object> now = Files.readAttributes(opened, "unix:uid,permissions", links);
    Integer owner = (Integer) Objects.requireNonNull(now.get("uid"));
    Set<PosixFilePermission> mode = permissions(Objects.requireNonNull(now.get("permissions")));
    Integer self = self();
    boolean foreign = self != null && !owner.equals(self) && !givesAll(path, owner);
    if (foreign && (ROOT.equals(self) || mode.contains(PosixFilePermission.OTHERS_WRITE))) {
      throw FileOpening.refused(
          path,
          "it belongs to user "
              + owner
              + " with mode "
              + PosixFilePermissions.toString(mode)
              + ", who could read what is cached; give it to this user by chown, or delete it");
    }
    if (mode.equals(OWNER_ONLY) && !foreign) {
      return null;
    }
    try {
      posix.setPermissions(OWNER_ONLY);
      return mode;
    } catch (IOException e) {
      LOG.warn(
          "{} belongs to user {} with mode {}, and can't be kept to this one: whoever may read it"
              + " reads what is cached; give it to this user by chown, or encrypt",
          path,
          owner,
          PosixFilePermissions.toString(mode));
      return null;
    }
  }

  @SuppressWarnings("unchecked") // As PosixFileAttributeView says.
  private static Set<PosixFilePermission> permissions(Object value) {
    return (Set<PosixFilePermission>) value;
  }

  /** Returns the user by whom this process's files are made, as Linux shows it to everybody. */
  private static @Nullable Integer self() {
    try {
      for (String line : SmallFiles.lines(Path.of("/proc/self/status"))) {
        if (line.startsWith("Uid:")) {
          return Integer.valueOf(line.substring(line.lastIndexOf('\t') + 1));
        }
      }
    } catch (IOException | RuntimeException notLinux) {
      // Nothing is compared there.
    }
    return null;
  }

  /** Network file systems may give all files one owner; one that is made here shows it. */
  private static boolean givesAll(Path path, Integer owner) {
    Path directory = path.toAbsolutePath().getParent();
    if (directory == null) {
      return false;
    }
    try {
      Path probe = Files.createTempFile(directory, ".nvcache-owner", null);
      try {
        return owner.equals(Files.getAttribute(probe, "unix:uid"));
      } finally {
        Files.delete(probe);
      }
    } catch (IOException e) {
      return false;
    }
  }
}
