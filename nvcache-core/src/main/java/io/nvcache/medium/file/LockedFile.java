// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.medium.CloseAction;
import io.nvcache.medium.ForeignFile;
import io.nvcache.memory.FileMapping;
import io.nvcache.memory.OpenDescriptor;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.OptionalLong;
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
public final class LockedFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LockedFile.class);

  /** Whether the page cache lies between the file and who reads and writes it. */
  enum Access {
    BUFFERED,
    DIRECT
  }

  private final Path path;
  private final FileOpening opening;
  private final FileChannel channel;
  private final String key;
  private final boolean created;

  /** Kept, because the JVM forgets a lock that nothing references. */
  private FileLock lock;

  /** The mode to restore on a file that no cache came of; null if it was not changed. */
  private @Nullable Set<PosixFilePermission> modeBefore;

  /** The length of a file without a byte that counts, or -1. */
  private long blankBytes = -1;

  /** The length that it had, if it held something; -1 if not. */
  private long lengthBefore = -1;

  private boolean closed;

  private LockedFile(
      Path path,
      FileOpening opening,
      FileChannel channel,
      FileLock lock,
      String key,
      boolean created) {
    this.path = path;
    this.opening = opening;
    this.channel = channel;
    this.lock = lock;
    this.key = key;
    this.created = created;
  }

  /** Opens a file through the page cache. */
  public static LockedFile open(Path path) throws IOException {
    return open(path, Access.BUFFERED);
  }

  /**
   * Opens and locks a file, which is made if there is none; writes nothing to it. One at a time, so
   * that two can't both find that a file is not held, and open it.
   */
  static synchronized LockedFile open(Path path, Access access) throws IOException {
    FileOpening opening = new FileOpening(path, access);
    opening.requirePlainFile();
    String found = FileLockRegistry.key(path);
    if (found != null) {
      hold(path, found);
    }
    String held = found;
    try {
      FileChannel channel = found == null ? opening.create() : opening.existing();
      try {
        String key = keyAfter(found, path, channel);
        if (found == null) {
          hold(path, key);
          held = key;
        }
        return new LockedFile(path, opening, channel, lock(path, channel), key, found == null);
      } catch (IOException | RuntimeException | Error e) {
        if (found == null) {
          deleteNew(path, held);
        }
        channel.close();
        throw e;
      }
    } catch (IOException | RuntimeException | Error e) {
      if (held != null) {
        FileLockRegistry.remove(held);
      }
      throw e;
    }
  }

  private static void hold(Path path, String key) throws IOException {
    if (FileLockRegistry.isRead(key)) {
      throw new FileHeldException(path, "an inspection in this process", null);
    }
    if (!FileLockRegistry.add(key)) {
      throw new FileHeldException(path, "another cache of this process", null);
    }
  }

  /** The file that was made here, unless another lies there by now. */
  private static void deleteNew(Path path, @Nullable String key) throws IOException {
    if (key != null && key.equals(FileLockRegistry.key(path))) {
      Files.deleteIfExists(path);
    }
  }

  /**
   * Opens a file only to read it, unless this process holds it: closing it would end the lock.
   *
   * @param key of the file
   */
  static synchronized FileChannel openToRead(Path path, String key) throws IOException {
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

  /** Closes what {@link #openToRead} returned, and then lets this process hold the file again. */
  static synchronized void closeRead(FileChannel channel, String key) throws IOException {
    try {
      channel.close();
    } finally {
      FileLockRegistry.removeReader(key);
    }
  }

  /** Returns what the file is now that it is open: the one that was found, or a new one. */
  private static String keyAfter(@Nullable String found, Path path, FileChannel channel)
      throws IOException {
    Path descriptor = OpenDescriptor.of(channel);
    String key = FileLockRegistry.key(path);
    if (key == null
        || (found != null && !found.equals(key))
        || (descriptor != null && !key.equals(FileLockRegistry.keyOfDescriptor(descriptor)))) {
      throw FileOpening.refused(path, "it was deleted or replaced while it was opened; try again");
    }
    return key;
  }

  /**
   * Opens the file that the path leads to by now, which need not be the one that is held. The
   * channel must stay open as long as the file is held: closing it takes the lock away.
   */
  FileChannel openAnother() throws IOException {
    return opening.existing();
  }

  /** Returns the channel that the file is locked through; closed by {@link #close} only. */
  FileChannel channel() {
    return channel;
  }

  private static FileLock lock(Path path, FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      throw new FileHeldException(path, "another cache of this process", e);
    } catch (ClosedChannelException | FileLockInterruptionException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "can't lock "
              + path
              + ", which keeps other processes from overwriting it: "
              + e.getMessage()
              + "; have its file system support locks (NFS: mount it without nolock), or name a"
              + " file on a local disk",
          e);
    }
    if (lock == null) {
      throw new FileHeldException(path, "another process", null);
    }
    return lock;
  }

  /**
   * Takes others' permissions away from a file that was there before. Whatever closes a descriptor
   * of it ends the lock, and so does this, which takes it again.
   */
  private void keepToOwner() throws IOException {
    Path descriptor = OpenDescriptor.of(channel);
    if (descriptor != null) {
      modeBefore = FileOwner.keep(path, descriptor);
      return;
    }
    lock.release();
    modeBefore = FileOwner.keep(path, path, LinkOption.NOFOLLOW_LINKS);
    lock = lock(path, channel);
  }

  /** Writes what was stored through a mapping to the disk. */
  void force() throws IOException {
    UninterruptibleIo.run(() -> channel.force(false));
  }

  /** Cuts off what is behind a length. */
  void shorten(long lengthBytes) throws IOException {
    if (channel.size() > lengthBytes) {
      channel.truncate(lengthBytes);
    }
  }

  /**
   * Writes zeros up to a length, which allocates each block.
   *
   * @param from where the zeros begin
   */
  void fill(long from, long lengthBytes) throws IOException {
    try {
      ZeroFill.fill(channel, from, lengthBytes);
    } catch (IOException e) {
      throw new IOException("can't fill " + path + " to " + lengthBytes + " bytes: " + e, e);
    }
  }

  /** Throws if the file system says that it has no room; one that can't say lets the file fill. */
  void requireRoom(long lengthBytes) throws IOException {
    OptionalLong usable = FileSystemAdvice.usableBytes(path);
    if (usable.isEmpty()) {
      return;
    }
    long available = usable.getAsLong() + channel.size();
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
    String there = FileLockRegistry.key(path);
    if (!key.equals(there)) {
      throw new IOException(
          path
              + (there == null ? " was deleted" : " was replaced by another file")
              + "; close the cache and build it again");
    }
  }

  /** Throws if a path, of an open descriptor, leads to another file than the one that is held. */
  void requireSame(Path descriptor) throws IOException {
    if (!key.equals(FileLockRegistry.keyOfDescriptor(descriptor))) {
      throw FileOpening.refused(path, "it was replaced while it was opened; try again");
    }
  }

  /** Throws if the file was cut short. */
  void requireLength(long lengthBytes) throws IOException {
    UninterruptibleIo.run(() -> requireLengthNow(lengthBytes));
  }

  private void requireLengthNow(long lengthBytes) throws IOException {
    if (!lock.isValid()) {
      throw new IOException(path + " is not locked any more; close the cache and build it again");
    }
    long size = channel.size();
    if (size < lengthBytes) {
      throw new IOException(
          path
              + " was cut short to "
              + size
              + " of "
              + lengthBytes
              + " bytes; close the cache and build it again");
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
  public void wipe() throws IOException {
    UninterruptibleIo.run(() -> ZeroFill.fill(channel, 0, channel.size()));
    delete();
  }

  /** Deletes the file that is held, and no other that lies at its path by now. */
  private void delete() throws IOException {
    if (BlockDevices.contain(path)) {
      return; // What stays is its name, which no cache made.
    }
    String there = FileLockRegistry.key(path);
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
   * Leaves the path as it was, as far as that can be, and closes the file: deletes it if it was
   * made here, while no other process can have taken it; empties it if it was empty; gives back the
   * room by which another cache's has grown.
   */
  void abandon() {
    try {
      if (created) {
        delete();
      } else {
        restore();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      close();
    }
  }

  private void restore() throws IOException {
    if (!key.equals(FileLockRegistry.key(path))) {
      return;
    }
    if (blankBytes >= 0) {
      UninterruptibleIo.run(() -> channel.truncate(0));
      Path descriptor = OpenDescriptor.of(channel); // The path may lead elsewhere by now.
      File held = (descriptor == null ? path : descriptor).toFile();
      try (RandomAccessFile file = new RandomAccessFile(held, "rw")) {
        file.setLength(blankBytes);
      }
    } else if (lengthBefore >= 0) {
      shorten(lengthBefore);
    }
    PosixFileAttributeView posix =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (modeBefore != null && posix != null) {
      posix.setPermissions(modeBefore);
    }
  }

  /**
   * Throws, and leaves the file as it is, if it holds something that is not to be lost or is in use
   * by another process; takes others' permissions away.
   */
  void takeOver(ForeignFile foreign, int granuleBytes) throws IOException {
    if (created) {
      return;
    }
    long lengthBytes = channel.size();
    if (new EarlierContents(path, channel, granuleBytes).requireOurs(foreign)) {
      blankBytes = lengthBytes;
    } else if (!BlockDevices.contain(path)) {
      lengthBefore = lengthBytes;
    }
    keepToOwner();
  }

  /** Gives up the lock with the channel, and only then lets this process open the file again. */
  @Override
  public void close() {
    synchronized (LockedFile.class) { // A new file may get the key as soon as this one is closed.
      if (closed) {
        return; // By now it may be another cache's.
      }
      closed = true;
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        FileLockRegistry.remove(key);
      }
    }
  }
}
