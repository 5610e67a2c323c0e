// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import com.sun.nio.file.ExtendedOpenOption;
import io.nvcache.memory.FileMapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that this process alone may use, with all its bytes on the disk; or a block device, if it
 * is to be accessed directly.
 *
 * <p>It is filled by the thread that builds the cache, which may be interrupted then and gives the
 * file up. Once it is in use, its channel is touched by {@linkplain UninterruptibleIo shielded}
 * work only.
 */
final class LockedFile implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private static final Logger LOG = LoggerFactory.getLogger(LockedFile.class);
  private static final String READ_ONLY =
      "its file system is mounted read-only; mount it read-write, or name a path on another";

  /** Whether the page cache lies between the file and who reads and writes it. */
  enum Access {
    BUFFERED,
    DIRECT
  }

  private final Path path;
  private final Access access;
  private final FileChannel channel;

  /** Kept, because the JVM forgets a lock that nothing references. */
  private final FileLock lock;

  private final Object key;
  private final boolean created;

  private LockedFile(
      Path path, Access access, FileChannel channel, FileLock lock, Object key, boolean created) {
    this.path = path;
    this.access = access;
    this.channel = channel;
    this.lock = lock;
    this.key = key;
    this.created = created;
  }

  /** Opens a file through the page cache. */
  static LockedFile open(Path path) throws IOException {
    return open(path, Access.BUFFERED);
  }

  /** One at a time, so that two can't both find that a file is not held, and open it. */
  static synchronized LockedFile open(Path path, Access access) throws IOException {
    requirePlainFile(path, access);
    Object found = FileLockRegistry.key(path);
    if (found != null) {
      requireNotHeld(path, found);
    }
    FileChannel channel = openFirst(path, access, found == null);
    try {
      if (found != null && !BlockDevices.contain(path)) {
        restrictToOwner(path); // Before the lock, which would go with the descriptor this closes.
      }
      FileLock lock = lock(path, channel);
      Object key = keyAfter(found, path);
      LockedFile file = new LockedFile(path, access, channel, lock, key, found == null);
      FileLockRegistry.add(key, file);
      return file;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void requireNotHeld(Path path, Object key) throws IOException {
    if (FileLockRegistry.contain(key)) {
      throw heldElsewhere(path, "another cache of this process", null);
    }
    if (FileLockRegistry.isRead(key)) {
      throw heldElsewhere(path, "an inspection in this process", null);
    }
  }

  /**
   * Opens a file only to read it, unless this process holds it: closing it would end the lock.
   *
   * @param key of the file
   */
  static synchronized FileChannel openToRead(Path path, Object key) throws IOException {
    if (FileLockRegistry.contain(key)) {
      throw new IOException(
          "can't read "
              + path
              + ": a cache of this process has it open, whose lock would end with this reading;"
              + " read it from another process, by nvcache inspect");
    }
    FileLockRegistry.addReader(key);
    try {
      return FileChannel.open(path, StandardOpenOption.READ);
    } catch (IOException | RuntimeException | Error e) {
      FileLockRegistry.removeReader(key);
      throw e;
    }
  }

  /** Returns what the file is now that it is open: the one that was found, or a new one. */
  private static Object keyAfter(@Nullable Object found, Path path) throws IOException {
    Object key = FileLockRegistry.key(path);
    if (key == null || (found != null && !found.equals(key))) {
      throw refused(path, "it was deleted or replaced while it was opened; try again");
    }
    return key;
  }

  /** Linux may have made the file before it finds that the file system does no direct I/O. */
  private static FileChannel openFirst(Path path, Access access, boolean absent)
      throws IOException {
    try {
      return openChannel(path, access);
    } catch (NoDirectAccessException e) {
      if (absent) {
        Files.deleteIfExists(path);
      }
      throw e;
    }
  }

  private static void requirePlainFile(Path path, Access access) throws IOException {
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
        && (access == Access.BUFFERED || !BlockDevices.contain(path))) {
      throw refused(path, "it is a device, a pipe or a socket; name a file");
    }
  }

  private static IOException refused(Path path, String why) {
    return new IOException("can't use " + path + " as a medium: " + why);
  }

  /**
   * Opens the file that the path leads to by now, which need not be the one that is held. The
   * channel must stay open as long as the file is held: closing it takes the lock away.
   */
  FileChannel openAnother() throws IOException {
    return openChannel(path, access);
  }

  /** Returns the channel that the file is locked through; closed by {@link #close} only. */
  FileChannel channel() {
    return channel;
  }

  private static FileChannel openChannel(Path path, Access access) throws IOException {
    Set<OpenOption> options =
        new HashSet<>(
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS));
    if (access == Access.DIRECT) {
      options.add(ExtendedOpenOption.DIRECT);
    }
    try {
      return FileChannel.open(path, options, ownerOnly(path));
    } catch (UnsupportedOperationException e) {
      throw new NoDirectAccessException(path, e);
    } catch (NoSuchFileException e) {
      throw new IOException(
          "can't create " + path + ": its directory does not exist; create it, or name another", e);
    } catch (AccessDeniedException e) {
      throw new IOException(
          "can't open " + path + ": permission denied; let this user read and write it", e);
    } catch (FileSystemException e) {
      if (access == Access.DIRECT && opensBuffered(path)) {
        throw new NoDirectAccessException(path, e);
      }
      throw new IOException("can't open " + path + ": " + (isReadOnly(path, e) ? READ_ONLY : e), e);
    }
  }

  /**
   * Returns whether direct access is what failed; the reason that a system call gives may be
   * translated.
   */
  private static boolean opensBuffered(Path path) {
    try {
      openChannel(path, Access.BUFFERED).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A bind mount is read-only where its file system may be not; the reason may be translated. */
  private static boolean isReadOnly(Path path, FileSystemException e) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    return "Read-only file system".equals(e.getReason())
        || (directory != null && Files.getFileStore(directory).isReadOnly());
  }

  private static FileAttribute<?>[] ownerOnly(Path path) {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  /** Not of what a link leads to that was put there since. */
  private static void restrictToOwner(Path path) throws IOException {
    PosixFileAttributeView posix =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (posix != null) {
      posix.setPermissions(OWNER_ONLY);
    }
  }

  private static FileLock lock(Path path, FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw heldElsewhere(path, "another process", null);
      }
      return lock;
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
    UninterruptibleIo.run(() -> channel.force(false));
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

  /** Whether the path still leads to the file that is held. */
  void requireInPlace() throws IOException {
    Object there = FileLockRegistry.key(path);
    if (!key.equals(there)) {
      throw new IOException(
          path
              + (there == null ? " was deleted" : " was replaced by another file")
              + "; close the cache and build it anew");
    }
  }

  /** Throws if a path, of an open descriptor, leads to another file than the one that is held. */
  void requireSame(Path descriptor) throws IOException {
    if (!key.equals(Files.readAttributes(descriptor, BasicFileAttributes.class).fileKey())) {
      throw refused(path, "it was replaced while it was opened; try again");
    }
  }

  /** Throws if the file was cut short. */
  void requireLength(long lengthBytes) throws IOException {
    UninterruptibleIo.run(() -> requireLengthNow(lengthBytes));
  }

  private void requireLengthNow(long lengthBytes) throws IOException {
    if (!lock.isValid()) {
      throw new IOException(path + " is not locked any more; close the cache and build it anew");
    }
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
  void end(CloseAction atClose) throws IOException {
    switch (atClose) {
      case KEEP -> {}
      case DELETE -> delete();
      case WIPE -> wipeOrDelete();
    }
  }

  /** A file that can't be overwritten goes all the same: there is no caller to ask. */
  private void wipeOrDelete() throws IOException {
    try {
      wipe();
    } catch (IOException | RuntimeException | Error e) {
      try {
        delete();
      } catch (IOException | RuntimeException notDeleted) {
        e.addSuppressed(notDeleted);
      }
      throw e;
    }
  }

  /** Overwrites the file, and deletes it if that succeeded. */
  void wipe() throws IOException {
    UninterruptibleIo.run(() -> Wipe.overwrite(channel));
    delete();
  }

  /** Deletes the file that is held, and no other that lies at its path by now. */
  private void delete() throws IOException {
    if (BlockDevices.contain(path)) {
      return; // What stays is its name, which no cache made.
    }
    Object there = FileLockRegistry.key(path);
    if (key.equals(there)) {
      Files.deleteIfExists(path);
    } else if (there != null) {
      LOG.warn(
          "{} was replaced by another file, which is not deleted; delete the cache's own file"
              + " where it was moved to",
          path);
    }
  }

  /**
   * Deletes the file if it was created here, while no other process can have taken it; closes it.
   */
  void abandon() {
    try {
      if (created) {
        delete();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      close();
    }
  }

  /** Gives up the lock with the channel, and only then lets this process open the file again. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      FileLockRegistry.remove(key, this);
    }
  }
}
