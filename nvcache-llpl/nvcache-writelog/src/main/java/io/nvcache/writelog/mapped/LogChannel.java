// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import io.nvcache.medium.Wipe;
import io.nvcache.memory.OpenDescriptor;
import io.nvcache.memory.Uninterruptible;
import io.nvcache.writelog.format.LogLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open file of a log: it is a log, complete, and this user's alone, since a recovery writes
 * what it says. All its bytes are on the disk, since a store to a mapped page that the disk has no
 * room for would end the JVM.
 *
 * <p>A channel has one of four {@linkplain Use uses} from its opening until its close:
 *
 * <pre>
 * open  -> HELD or MADE   locked: no other program, and nothing else in this one, opens the log
 * take  -> HELD
 * look  -> LENT           the channel of that log, which this process has open
 *       -> READ           its own, without a lock, next to other programs
 * </pre>
 *
 * <p>POSIX takes the locks of a process on a file away when the process closes any descriptor of
 * it. So what opens or closes a descriptor asks {@link HeldLogs} first, and holds {@link #LOCK}
 * from the question on. {@link LogFile} holds it on while it maps what another thread might close
 * or take away. Opening and closing are thread-safe.
 */
final class LogChannel implements AutoCloseable {
  private static final String OWNER_ONLY = "rw-------";

  /** Held by what opens or closes a descriptor of any log. */
  static final Object LOCK = new Object();

  /** What a channel may do, and what its close has to undo. */
  private enum Use {
    HELD,
    /** As {@link #HELD}, of a file that was not there before. */
    MADE,
    READ,
    LENT
  }

  private final Path path;
  private final Object key;
  private final FileChannel channel;
  private final LogLayout layout;
  private final Use use;

  /** Referred to as long as the channel is open: the JDK forgets a lock that is not referred to. */
  @SuppressWarnings({"unused", "UnusedVariable"})
  private final @Nullable FileLock lock;

  /** Under {@link #LOCK}. */
  private boolean isClosed;

  private LogChannel(
      Path path,
      Object key,
      FileChannel channel,
      LogLayout layout,
      Use use,
      @Nullable FileLock lock) {
    this.path = path;
    this.key = key;
    this.channel = channel;
    this.layout = layout;
    this.use = use;
    this.lock = lock;
  }

  /**
   * Opens a log to use it, or creates it.
   *
   * @param fresh its layout if it is new; an existing one keeps its own
   * @throws IOException if the file is held by another process, is no log, belongs to another user,
   *     or the disk has no room
   */
  static LogChannel open(Path path, LogLayout fresh) throws IOException {
    synchronized (LOCK) {
      Object found = HeldLogs.key(path);
      requireFree(path, found);
      if (found != null) {
        requireOwn(path, path, LinkOption.NOFOLLOW_LINKS);
      }
      FileChannel channel = openToUse(path, found == null);
      try {
        FileLock lock = lock(path, channel);
        return held(path, found, channel, lock, fresh);
      } catch (IOException | RuntimeException | Error e) {
        undo(channel, e);
        throw e;
      }
    }
  }

  private static LogChannel held(
      Path path, @Nullable Object found, FileChannel channel, FileLock lock, LogLayout fresh)
      throws IOException {
    Path opened = OpenDescriptor.of(channel);
    Object key = requireUnmoved(path, found, opened);
    boolean isNew = false;
    try {
      if (opened == null) {
        requireOwn(path, path, LinkOption.NOFOLLOW_LINKS);
      } else {
        requireOwn(path, opened); // What the path leads to may change at any time.
      }
      isNew = !Superblocks.isIn(channel);
      LogLayout layout = isNew ? fresh : Superblocks.read(path, channel);
      if (isNew) {
        Superblocks.make(path, channel, fresh);
      }
      Use use = isNew && found == null ? Use.MADE : Use.HELD;
      HeldLogs.add(key, channel);
      return new LogChannel(path, key, channel, layout, use, lock);
    } catch (IOException | RuntimeException | Error e) {
      boolean isMine = isNew;
      undo(
          () -> {
            if (found == null && (isMine || channel.size() == 0)) {
              unmake(path, key, channel);
            }
          },
          e);
      throw e;
    }
  }

  /** Returns the key of the file if the path still leads to what was opened. */
  private static Object requireUnmoved(Path path, @Nullable Object found, @Nullable Path opened)
      throws IOException {
    Object key = HeldLogs.key(path);
    if (key == null
        || (found != null && !found.equals(key))
        || (opened != null && !key.equals(HeldLogs.keyOfOpened(opened)))) {
      throw refusal(path, "it was deleted or replaced while it was opened; try again", null);
    }
    return key;
  }

  /**
   * Takes a log that no program has open, to look at it while none can open it.
   *
   * @throws IOException if a program has it open, or it is no log
   */
  static LogChannel take(Path path) throws IOException {
    synchronized (LOCK) {
      Object key = HeldLogs.key(path);
      requireFree(path, key);
      FileChannel channel = openPlain(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        FileLock lock = lock(path, channel);
        Object taken = key == null ? path : key;
        LogChannel log =
            new LogChannel(path, taken, channel, Superblocks.read(path, channel), Use.HELD, lock);
        HeldLogs.add(taken, channel);
        return log;
      } catch (IOException | RuntimeException | Error e) {
        undo(channel, e);
        throw e;
      }
    }
  }

  /** Opens a log to look at it, also while it is in use. */
  static LogChannel look(Path path) throws IOException {
    synchronized (LOCK) {
      Object found = HeldLogs.key(path);
      Object key = found == null ? path : found;
      FileChannel held = HeldLogs.held(found);
      if (held != null) {
        return new LogChannel(path, key, held, Superblocks.read(path, held), Use.LENT, null);
      }
      FileChannel channel = openPlain(path, StandardOpenOption.READ);
      try {
        LogChannel log =
            new LogChannel(path, key, channel, Superblocks.read(path, channel), Use.READ, null);
        HeldLogs.addReader(key);
        return log;
      } catch (IOException | RuntimeException | Error e) {
        undo(channel, e);
        throw e;
      }
    }
  }

  /** Returns whether a program has a log open, this one or another. */
  static boolean isInUse(Path path) throws IOException {
    synchronized (LOCK) {
      if (HeldLogs.held(HeldLogs.key(path)) != null) {
        return true;
      }
      // Closing it ends no lock: this process holds none.
      try (FileChannel channel = openPlain(path, StandardOpenOption.READ)) {
        return channel.tryLock(0, Long.MAX_VALUE, true) == null;
      } catch (OverlappingFileLockException e) {
        return true; // By another loading of this class.
      }
    }
  }

  Path path() {
    return path;
  }

  FileChannel channel() {
    return channel;
  }

  /** Returns the layout that the file says. */
  LogLayout layout() {
    return layout;
  }

  /**
   * Checks that no other program has cut the file short.
   *
   * @throws IOException if one has: what was mapped there is gone, and to touch it is a fault
   */
  void requireWhole() throws IOException {
    long size = channel.size();
    if (size < layout.fileBytes()) {
      throw new IOException(
          "the write log "
              + path
              + " was cut short to "
              + size
              + " of "
              + layout.fileBytes()
              + " bytes by another program, and what it held there is lost; end this program,"
              + " delete the log, and let nothing else write it");
    }
  }

  /**
   * Overwrites a log that was {@linkplain #take taken} with zeros, and deletes it.
   *
   * @throws IOException if it can't be written, or its path leads to another file by now, which
   *     stays as it is
   */
  void wipe() throws IOException {
    Wipe.overwrite(channel);
    if (!key.equals(HeldLogs.key(path))) {
      throw new IOException(
          "wiped the write log "
              + path
              + ", but can't delete it: it was moved or replaced during the wipe; find it and delete it");
    }
    Files.delete(path);
  }

  /** Closes it as if it had not been opened: a log that was made is taken away again. */
  void abandon() throws IOException {
    synchronized (LOCK) {
      try {
        if (use == Use.MADE) {
          unmake(path, key, channel);
        }
      } finally {
        close();
      }
    }
  }

  /** Lets this process open the file again, after the lock went with the channel. */
  @Override
  public void close() throws IOException {
    synchronized (LOCK) {
      if (use == Use.LENT || isClosed) {
        return;
      }
      isClosed = true; // The channel itself may be closed already, by an interrupt.
      try {
        channel.close();
      } finally {
        if (use == Use.READ) {
          HeldLogs.removeReader(key);
        } else {
          HeldLogs.remove(key, channel);
        }
      }
    }
  }

  // ---- who may open it

  /** Before a descriptor of the file is opened: to close it would end the lock that is held. */
  private static void requireFree(Path path, @Nullable Object key) throws IOException {
    if (HeldLogs.held(key) != null) {
      throw heldElsewhere(path, "this program");
    }
    if (HeldLogs.isRead(key)) {
      throw heldElsewhere(path, "an inspection in this program");
    }
  }

  private static FileLock lock(Path path, FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw heldElsewhere(path, "another program");
    }
    return lock;
  }

  private static IOException heldElsewhere(Path path, String holder) {
    return refusal(path, holder + " has it open; give each program its own log", null);
  }

  static IOException refusal(Path path, String why, @Nullable Exception cause) {
    return new IOException("can't open the write log " + path + ": " + why, cause);
  }

  /** Looks at the file itself, which the path leads to, or its open descriptor. */
  private static void requireOwn(Path path, Path itself, LinkOption... links) throws IOException {
    if (!Files.isRegularFile(itself, links)) {
      throw new IOException("can't use " + path + " as a write log: it is not a plain file");
    }
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(itself, links);
    Object owner = Files.getAttribute(itself, "unix:uid", links);
    Path self = path.getFileSystem().getPath("/proc/self");
    boolean mine = !Files.exists(self) || owner.equals(Files.getAttribute(self, "unix:uid"));
    if (!mine || !mode.equals(PosixFilePermissions.fromString(OWNER_ONLY))) {
      throw new IOException(
          "can't use "
              + path
              + " as a write log: a recovery writes what it says, so it must belong to this user"
              + " with mode 0600, and it has "
              + PosixFilePermissions.toString(mode)
              + " of user "
              + owner);
    }
  }

  // ---- descriptors

  /** A new one is this call's own: what appears since somebody looked may be another user's. */
  private static FileChannel openToUse(Path path, boolean isNew) throws IOException {
    Set<OpenOption> options = new HashSet<>();
    options.add(StandardOpenOption.READ);
    options.add(StandardOpenOption.WRITE);
    options.add(LinkOption.NOFOLLOW_LINKS);
    if (isNew) {
      options.add(StandardOpenOption.CREATE_NEW);
    }
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    try {
      FileChannel channel =
          posix
              ? FileChannel.open(
                  path,
                  options,
                  PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)))
              : FileChannel.open(path, options);
      return Uninterruptible.of(channel);
    } catch (FileAlreadyExistsException e) {
      throw refusal(
          path, "it was made while it was opened; see who else uses it, and try again", e);
    } catch (AccessDeniedException e) {
      throw refusal(
          path, "permission denied; let this user read and write it and its directory", e);
    }
  }

  /** To open a pipe would wait for somebody who writes to it. */
  private static FileChannel openPlain(Path path, StandardOpenOption... how) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("can't read " + path + " as a write log: it is not a plain file");
    }
    Set<OpenOption> options = new HashSet<>(Set.of(how));
    options.add(LinkOption.NOFOLLOW_LINKS);
    return FileChannel.open(path, options);
  }

  /**
   * Takes a log away while its lock is held, so that no other process can have taken it. What
   * replaced it at its path stays: to make a log may take minutes.
   */
  private static void unmake(Path path, Object key, FileChannel channel) throws IOException {
    channel.truncate(0);
    if (key.equals(HeldLogs.key(path))) {
      Files.deleteIfExists(path);
    }
  }

  /** Undoes something after a failure, which stays the one that is thrown. */
  static void undo(Closeable undoing, Throwable failure) {
    try {
      undoing.close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
