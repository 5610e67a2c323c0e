// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file that this process alone may use, with all its bytes on the disk. */
final class LockedFile implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;
  private final FileChannel channel;
  private final boolean created;

  private LockedFile(Path path, FileChannel channel, boolean created) {
    this.path = path;
    this.channel = channel;
    this.created = created;
  }

  static LockedFile open(Path path) throws IOException {
    requirePlainFile(path);
    boolean created = !Files.exists(path);
    FileChannel channel = openChannel(path);
    try {
      if (lock(path, channel) == null) {
        throw heldElsewhere(path, "another process", null);
      }
      if (!created) {
        restrictToOwner(path);
      }
      return new LockedFile(path, channel, created);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void requirePlainFile(Path path) throws IOException {
    String fault = OwnName.fault(path, "file");
    if (fault != null) {
      throw refused(path, fault);
    }
    if (Files.isDirectory(path)) {
      throw refused(path, "it is a directory; name a file");
    }
    // A device would be overwritten, and a pipe never end.
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw refused(path, "it is a device, a pipe or a socket; name a file");
    }
  }

  private static IOException refused(Path path, String why) {
    return new IOException("can't use " + path + " as a medium: " + why);
  }

  private static FileChannel openChannel(Path path) throws IOException {
    try {
      return FileChannel.open(
          path,
          Set.of(
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS),
          ownerOnly(path));
    } catch (NoSuchFileException e) {
      throw new IOException(
          "can't create " + path + ": its directory does not exist; create it, or name another", e);
    } catch (AccessDeniedException e) {
      throw new IOException(
          "can't open " + path + ": permission denied; let this user read and write it", e);
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path path) {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  /** Not of what a link leads to that was put there meanwhile. */
  private static void restrictToOwner(Path path) throws IOException {
    PosixFileAttributeView posix =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (posix != null) {
      posix.setPermissions(OWNER_ONLY);
    }
  }

  private static @Nullable FileLock lock(Path path, FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      throw heldElsewhere(path, "another cache of this process", e);
    }
  }

  private static IOException heldElsewhere(Path path, String holder, @Nullable Throwable cause) {
    return new IOException(
        "can't use " + path + ": it is held by " + holder + "; give each cache a file of its own",
        cause);
  }

  /** Writes what was stored through a mapping to the disk. */
  void force() throws IOException {
    channel.force(false);
  }

  /** Makes the file exactly this long, each block of it allocated. */
  void fill(long lengthBytes) throws IOException {
    requireRoom(lengthBytes);
    try {
      channel.truncate(Math.min(channel.size(), lengthBytes));
      Wipe.fill(channel, lengthBytes);
    } catch (IOException e) {
      throw new IOException("can't fill " + path + " to " + lengthBytes + " bytes: " + e, e);
    }
  }

  private void requireRoom(long lengthBytes) throws IOException {
    FileStore disk = Files.getFileStore(path);
    long available = disk.getUsableSpace() + channel.size();
    if (lengthBytes > available) {
      throw new IOException(
          "no space for "
              + path
              + ": "
              + lengthBytes
              + " bytes asked for, "
              + available
              + " available; lower the capacity or free some");
    }
  }

  /** Maps the file that is held, which need not be the one that the path leads to by now. */
  FileMapping map(long lengthBytes) throws IOException {
    try {
      return FileMapping.of(channel, lengthBytes);
    } catch (IOException e) {
      throw new IOException("can't map " + path + ": " + e.getMessage(), e);
    }
  }

  /** Whether nobody cut the file short. */
  void requireLength(long lengthBytes) throws IOException {
    long size = channel.size();
    if (size < lengthBytes) {
      throw new IOException(
          path
              + " was cut short to "
              + size
              + " of "
              + lengthBytes
              + " bytes; close the cache and build it anew");
    }
  }

  /** Does with the file what was asked for, while it is still locked. */
  void end(AtClose atClose) throws IOException {
    if (atClose == AtClose.WIPE) {
      Wipe.overwrite(channel);
    }
    if (atClose != AtClose.KEEP) {
      Files.deleteIfExists(path);
    }
  }

  /** Closes the file, and deletes it if it was created here. */
  void abandon() {
    close();
    if (created) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Gives up the lock with the channel. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
