// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Wipe;
import io.nvcache.memory.OpenDescriptor;
import io.nvcache.memory.Uninterruptible;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.disk.BootId;
import io.nvcache.writelog.disk.PlatformDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
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
import jdk.nio.mapmode.ExtendedMapMode;
import org.jspecify.annotations.Nullable;

/**
 * The file of a log, mapped and locked. It belongs to its user alone, since a recovery writes what
 * it says; and all its bytes are on the disk before it is mapped, since a store to a page that the
 * disk has no room for would end the JVM.
 */
public final class LogFile implements LogMemory {
  private static final String OWNER_ONLY = "rw-------";

  /** What ends with a log. */
  @FunctionalInterface
  private interface Ending {
    void run() throws IOException;
  }

  private final Path path;
  private final FileChannel channel;
  private final @Nullable FileLock lock;
  private final Ending ending;
  private final LogLayout layout;
  private final Persistence persistence;
  private final Durability grade;
  private final LogRegion head;
  private final MappedRegion[] lanes;

  private LogFile(
      Path path,
      FileChannel channel,
      @Nullable FileLock lock,
      Ending ending,
      LogLayout layout,
      Persistence persistence,
      Durability grade,
      MapMode mode)
      throws IOException {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
    this.ending = ending;
    this.layout = layout;
    this.persistence = persistence;
    this.grade = grade;
    this.head = new MappedRegion(channel.map(mode, 0, layout.headBytes()), persistence);
    this.lanes = new MappedRegion[layout.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      MappedByteBuffer lane = channel.map(mode, layout.laneOffset(i), layout.laneBytes());
      lanes[i] = new MappedRegion(lane, persistence);
    }
  }

  /**
   * Opens a log, or creates it.
   *
   * @param fresh its layout if it is new; an existing one keeps its own
   * @param asked how its bytes become durable; null for the best that the file system has
   * @param least what they must survive
   * @throws IOException if they would not survive that; if the file is held by another process, is
   *     no log, belongs to another user, or the disk has no room
   */
  public static LogFile open(
      Path path, LogLayout fresh, @Nullable Persistence asked, Durability least)
      throws IOException {
    synchronized (LogFile.class) {
      Object found = HeldLogs.key(path);
      requireFree(path, found);
      if (found != null) {
        requireOwn(path, path, LinkOption.NOFOLLOW_LINKS);
      }
      FileChannel channel = openChannel(path, found == null);
      try {
        FileLock lock = lock(path, channel);
        try {
          return openLocked(path, found, channel, lock, fresh, asked, least);
        } catch (IOException | RuntimeException | Error e) {
          if (found == null && channel.size() == 0) {
            Files.deleteIfExists(path); // While no other process can have taken it.
          }
          throw e;
        }
      } catch (IOException | RuntimeException | Error e) {
        channel.close();
        throw e;
      }
    }
  }

  private static LogFile openLocked(
      Path path,
      @Nullable Object found,
      FileChannel channel,
      FileLock lock,
      LogLayout fresh,
      @Nullable Persistence asked,
      Durability least)
      throws IOException {
    Object key = HeldLogs.key(path);
    Path opened = OpenDescriptor.of(channel);
    if (key == null
        || (found != null && !found.equals(key))
        || (opened != null && !key.equals(HeldLogs.keyOfOpened(opened)))) {
      throw new IOException(
          "can't open the write log "
              + path
              + ": it was deleted or replaced while it was opened; try again");
    }
    if (opened == null) {
      requireOwn(path, path, LinkOption.NOFOLLOW_LINKS);
    } else {
      requireOwn(path, opened); // What the path leads to may change at any time.
    }
    boolean isNew = !isMade(channel);
    LogLayout layout = isNew ? fresh : read(path, channel);
    try {
      if (isNew) {
        create(path, channel, fresh);
      }
      LogFile file = map(path, channel, lock, () -> letGo(key, channel), layout, asked, least);
      HeldLogs.add(key, file);
      return file;
    } catch (IOException | RuntimeException | Error e) {
      if (isNew && found == null) {
        channel.truncate(0);
      }
      throw e;
    }
  }

  /** Lets this process open the file again only after the lock went with the channel. */
  private static void letGo(Object key, FileChannel channel) throws IOException {
    synchronized (LogFile.class) {
      channel.close();
      LogFile held = HeldLogs.held(key);
      if (held != null && held.channel == channel) {
        HeldLogs.remove(key, held);
      }
    }
  }

  /** Before a descriptor of the file is opened: to close it would end the lock that is held. */
  private static void requireFree(Path path, @Nullable Object key) throws IOException {
    if (HeldLogs.held(key) != null) {
      throw heldElsewhere(path, "this program");
    }
    if (HeldLogs.isRead(key)) {
      throw heldElsewhere(path, "an inspection in this program");
    }
  }

  private static IOException heldElsewhere(Path path, String holder) {
    return new IOException(
        "can't open the write log "
            + path
            + ": "
            + holder
            + " has it open; give each program its own log");
  }

  /** A crash while a log is made leaves a file without superblocks, which hold no log yet. */
  private static boolean isMade(FileChannel channel) throws IOException {
    ByteBuffer superblocks = superblocks(channel).flip();
    while (superblocks.hasRemaining()) {
      if (superblocks.get() != 0) {
        return true;
      }
    }
    return false;
  }

  /** Opens a log to look at it, also while it is in use. */
  public static LogFile look(Path path) throws IOException {
    synchronized (LogFile.class) {
      Object key = HeldLogs.key(path);
      LogFile held = HeldLogs.held(key);
      if (held != null) { // By its channel: to close another would end its lock.
        return looking(path, held.channel, null, () -> {});
      }
      FileChannel channel = openPlain(path, StandardOpenOption.READ);
      Object read = key == null ? path : key;
      HeldLogs.addReader(read);
      Ending ending = () -> endLook(read, channel);
      try {
        return looking(path, channel, null, ending);
      } catch (IOException | RuntimeException | Error e) {
        ending.run();
        throw e;
      }
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

  private static void endLook(Object key, FileChannel channel) throws IOException {
    synchronized (LogFile.class) {
      if (channel.isOpen()) {
        channel.close();
        HeldLogs.removeReader(key);
      }
    }
  }

  private static LogFile looking(
      Path path, FileChannel channel, @Nullable FileLock lock, Ending ending) throws IOException {
    LogLayout layout = read(path, channel);
    Persistence looked = Persistence.PAGE_CACHE;
    return new LogFile(
        path, channel, lock, ending, layout, looked, looked.grade(), MapMode.READ_ONLY);
  }

  /** Returns whether a program has a log open, this one or another. */
  public static boolean isInUse(Path path) throws IOException {
    synchronized (LogFile.class) {
      Object key = HeldLogs.key(path);
      if (HeldLogs.held(key) != null) {
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

  /**
   * Takes a log that no program has open, to look at it while none can open it.
   *
   * @throws IOException if a program has it open, or it is no log
   */
  public static LogFile take(Path path) throws IOException {
    synchronized (LogFile.class) {
      Object key = HeldLogs.key(path);
      requireFree(path, key);
      FileChannel channel = openPlain(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        FileLock lock = lock(path, channel);
        Object taken = key == null ? path : key;
        LogFile file = looking(path, channel, lock, () -> letGo(taken, channel));
        HeldLogs.add(taken, file);
        return file;
      } catch (IOException | RuntimeException | Error e) {
        channel.close();
        throw e;
      }
    }
  }

  /** Overwrites a log that was {@linkplain #take taken} with zeros, and deletes it. */
  public void wipe() throws IOException {
    Wipe.overwrite(channel);
    Files.delete(path);
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

  /** A new one is this call's own: what appears since somebody looked may be another user's. */
  private static FileChannel openChannel(Path path, boolean isNew) throws IOException {
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
      throw new IOException(
          "can't open the write log "
              + path
              + ": it was made while it was opened; see who else uses it, and try again",
          e);
    } catch (AccessDeniedException e) {
      throw new IOException(
          "can't open the write log "
              + path
              + ": permission denied; let this user read and write it and its directory",
          e);
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

  /** Returns a buffer behind what there is of them. */
  private static ByteBuffer superblocks(FileChannel channel) throws IOException {
    ByteBuffer superblocks = ByteBuffer.allocate(2 * LogLayout.SUPERBLOCK_BYTES);
    for (int at = 0; at >= 0 && superblocks.hasRemaining(); ) {
      int n = channel.read(superblocks, at);
      at = n < 0 ? -1 : at + n;
    }
    return superblocks;
  }

  private static LogLayout read(Path path, FileChannel channel) throws IOException {
    LogLayout layout;
    try {
      layout = LogLayout.read(superblocks(channel).clear());
    } catch (IllegalArgumentException e) {
      throw new IOException("can't open the write log " + path + ": " + e.getMessage(), e);
    }
    if (channel.size() < layout.fileBytes()) {
      throw new IOException(
          "can't open the write log "
              + path
              + ": it has "
              + channel.size()
              + " of "
              + layout.fileBytes()
              + " bytes; look for the copy that is whole");
    }
    return layout;
  }

  /** The superblocks come last: a crash before leaves a file that is no log, and is made again. */
  private static void create(Path path, FileChannel channel, LogLayout layout) throws IOException {
    long usable = Files.getFileStore(path).getUsableSpace();
    if (usable < layout.fileBytes()) {
      throw new IOException(
          "no space for the write log "
              + path
              + ": "
              + layout.fileBytes()
              + " bytes asked for, "
              + usable
              + " available; make it shorter or free some");
    }
    Wipe.fill(channel, layout.fileBytes());
    ByteBuffer superblocks = layout.superblocks();
    for (long at = 0; superblocks.hasRemaining(); ) {
      at += channel.write(superblocks, at);
    }
    channel.force(true);
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null) {
      new PlatformDisk().syncDirectory(directory);
    }
  }

  private static LogFile map(
      Path path,
      FileChannel channel,
      FileLock lock,
      Ending ending,
      LogLayout layout,
      @Nullable Persistence asked,
      Durability least)
      throws IOException {
    boolean dax = LogPlace.isPersistentMemory(channel);
    Persistence persistence =
        asked != null ? asked : dax ? Persistence.SYNC_MAPPING : Persistence.PAGE_CACHE;
    LogPlace.requirePmdk(path, persistence);
    Durability grade = LogPlace.requireGrade(path, persistence, dax, least);
    MapMode mode =
        persistence == Persistence.SYNC_MAPPING || (persistence == Persistence.PMDK && dax)
            ? ExtendedMapMode.READ_WRITE_SYNC
            : MapMode.READ_WRITE;
    try {
      LogFile file = new LogFile(path, channel, lock, ending, layout, persistence, grade, mode);
      if (LogPlace.typeOf(path).equals("tmpfs")) {
        file.load();
      }
      return file;
    } catch (IOException | UnsupportedOperationException e) {
      throw new IOException(
          "can't map the write log "
              + path
              + " as "
              + persistence
              + ": "
              + e.getMessage()
              + "; put it on a file system mounted with -o dax, or choose another persistence",
          e);
    }
  }

  /**
   * Maps the lanes' pages now, of a log in DRAM. Else the first write to each is a fault, which
   * takes longer than the write. A disk's pages fault again after each sync, and persistent memory
   * is mapped in pieces of 2 MiB.
   */
  private void load() {
    for (MappedRegion lane : lanes) {
      lane.load();
    }
  }

  /** Returns the file. */
  public Path path() {
    return path;
  }

  /** Returns the layout that the file says. */
  public LogLayout layout() {
    return layout;
  }

  /** Returns how its bytes become durable. */
  public Persistence persistence() {
    return persistence;
  }

  /** Returns what its bytes survive where it lies; of an emulation, what it plays. */
  public Durability grade() {
    return grade;
  }

  /** Returns whether the lines of an emulation are really written back. */
  public static boolean writesLinesBack() {
    return LineFlush.isReal();
  }

  /**
   * Checks that no other program has cut the file short.
   *
   * @throws IOException if one has: what was mapped there is gone, and to touch it is a fault
   */
  public void requireWhole() throws IOException {
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
   * Takes down the run of the system that the log is used in from now on, if it ends with that; to
   * be called after a recovery.
   */
  public void beginUse() {
    boolean outlivesIt = grade.compareTo(Durability.POWER_FAIL) >= 0;
    head.putLong(
        LogLayout.BOOT, outlivesIt ? BootId.UNKNOWN : BootId.current(path.getFileSystem()));
    head.persist(LogLayout.BOOT, Long.BYTES);
  }

  @Override
  public LogRegion head() {
    return head;
  }

  @Override
  public LogRegion lane(int index) {
    return lanes[index];
  }

  /** Returns whether this opened the log, and not only looks at it. */
  public boolean isHeld() {
    return lock != null;
  }

  /** Lets another program open the log. What is mapped is unmapped when nothing refers to it. */
  @Override
  public void close() {
    try {
      ending.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
