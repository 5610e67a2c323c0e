// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import com.sun.nio.file.ExtendedOpenOption;
import io.nvcache.memory.DirectAlignment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens the file of a medium, and says in words why it can't. A file that is there is opened, one
 * that is not is made, and neither becomes the other in between: whoever may write to the directory
 * could put a file of his own there.
 */
final class FileOpening {
  private static final String READ_ONLY =
      "its file system is mounted read-only; mount it read-write, or name a path on another";

  private final Path path;
  private final LockedFile.Access access;

  /**
   * What has to be set in the JDK; found out with the first channel, since the file system is found
   * by reading the list of all that are mounted.
   */
  private @Nullable OptionalInt alignment;

  FileOpening(Path path, LockedFile.Access access) {
    this.path = path;
    this.access = access;
  }

  /** Throws if the path can't belong to a medium, whatever the file holds. */
  void requirePlainFile() throws IOException {
    String fault = PathChecks.fault(path, "file");
    if (fault != null) {
      throw refused(path, fault);
    }
    if (Files.isDirectory(path)) {
      throw refused(path, "it is a directory; name a file");
    }
    // A device would be overwritten, and a pipe never end.
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        && (access == LockedFile.Access.BUFFERED || !BlockDevices.contain(path))) {
      throw refused(path, "it is a device, a pipe or a socket; name a file");
    }
  }

  /** Returns a failure that names the file: of reads and writes, the JDK gives the reason alone. */
  static IOException named(Path path, IOException failure) {
    boolean isNamed = String.valueOf(failure.getMessage()).contains(path.toString());
    return isNamed || failure.getMessage() == null
        ? failure
        : new IOException(
            "can't use " + path + ": " + failure.getMessage() + "; name a file of another drive",
            failure);
  }

  static IOException refused(Path path, String why) {
    return new IOException("can't use " + path + " as a medium: " + why);
  }

  /** Makes the file, readable to its owner only. */
  FileChannel create() throws IOException {
    try {
      return open(access, StandardOpenOption.CREATE_NEW);
    } catch (NoDirectAccessException e) {
      // Linux may have made it before it found that the file system does no direct I/O.
      Files.deleteIfExists(path);
      throw e;
    }
  }

  /** Opens the file that is there. */
  FileChannel existing() throws IOException {
    return open(access);
  }

  private FileChannel open(LockedFile.Access wanted, StandardOpenOption... more)
      throws IOException {
    boolean creates = more.length > 0;
    Set<OpenOption> options =
        new HashSet<>(
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    options.addAll(Set.of(more));
    if (wanted == LockedFile.Access.DIRECT) {
      options.add(ExtendedOpenOption.DIRECT);
    }
    try {
      FileChannel channel =
          FileChannel.open(path, options, creates ? ownerOnly() : new FileAttribute<?>[0]);
      if (wanted == LockedFile.Access.DIRECT) {
        align(channel);
      }
      return channel;
    } catch (UnsupportedOperationException e) {
      throw new NoDirectAccessException(path, e);
    } catch (NoSuchFileException e) {
      throw creates
          ? new IOException(
              "can't create " + path + ": its directory does not exist; create it, or name another",
              e)
          : refused(path, "it was deleted or replaced while it was opened; try again");
    } catch (FileAlreadyExistsException e) {
      throw refused(path, "another process made it while it was opened; try again");
    } catch (AccessDeniedException e) {
      throw new IOException(
          "can't open " + path + ": permission denied; let this user read and write it", e);
    } catch (FileSystemException e) {
      if (wanted == LockedFile.Access.DIRECT && opensBuffered(creates)) {
        throw new NoDirectAccessException(path, e);
      }
      throw new IOException("can't open " + path + ": " + reason(e), e);
    }
  }

  /** The JDK's own alignment is the length of the file system's blocks, if that is one. */
  private void align(FileChannel channel) throws IOException {
    OptionalInt needed = alignment;
    if (needed == null) {
      needed =
          FileSystemAdvice.blockBytes(path).isPresent()
              ? OptionalInt.empty()
              : OptionalInt.of(FileSystemAdvice.granuleBytes(path));
      alignment = needed;
    }
    if (needed.isEmpty()) {
      return;
    }
    try {
      DirectAlignment.set(channel, needed.getAsInt());
    } catch (IllegalStateException e) {
      channel.close();
      throw refused(
          path,
          "its file system does not say how direct I/O is aligned, and "
              + e.getMessage()
              + "; name a file on ext4 or XFS of a local disk");
    }
  }

  private String reason(FileSystemException e) {
    if (isReadOnly(e)) {
      return READ_ONLY;
    }
    return String.valueOf(e.getReason()).contains("Too many open files")
        ? "the process has too many open files, and a cache on flash opens 8; raise the limit"
            + " (ulimit -n)"
        : e.toString();
  }

  /**
   * Returns whether direct access is what failed; the reason that a system call gives may be
   * translated.
   */
  private boolean opensBuffered(boolean creates) {
    try {
      if (creates && !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        open(LockedFile.Access.BUFFERED, StandardOpenOption.CREATE_NEW).close();
      } else {
        open(LockedFile.Access.BUFFERED).close();
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A bind mount is read-only where its file system may be not; the reason may be translated. */
  private boolean isReadOnly(FileSystemException e) {
    Path directory = path.toAbsolutePath().getParent();
    return directory != null && FileSystemAdvice.isReadOnly(directory, e);
  }

  private FileAttribute<?>[] ownerOnly() {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FileOwner.OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }
}
