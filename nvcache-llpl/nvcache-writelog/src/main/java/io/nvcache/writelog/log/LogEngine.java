// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends changes of files to the log, and drains it.
 *
 * <p>Order of locks: names, then files, then one lane. Who waits for room in the log holds none of
 * them, so the drain always ends. The drain takes no file's lock but by trying, and the names only
 * by trying. A thread that changes a name drains while it holds the names and the file.
 *
 * <p>A number is allotted under a lane that announced a lower bound before. So a drain that reads
 * the last number first and the lanes then misses none that is not applied: see {@link #applied}.
 */
public final class LogEngine {
  /** Of 28 bytes each; a log of 32 GiB is full before, if its writes are pages. */
  private static final int MAX_PENDING_PAGES = 8 << 20;

  static final long HEARTBEAT_MILLIS = 500;
  private static final long END_OF_ROUND_NANOS = 1_000_000_000;

  private final LogMemory memory;
  private final LogLayout layout;
  private final Disk disk;
  private final LogSettings settings;
  private final LongSupplier clockMillis;
  private final Lane[] lanes;

  /** Null where each write reaches the page cache before it returns. */
  private final @Nullable PendingPages pages;

  private final OpenFiles files;
  private final int epoch;

  private final AtomicLong lastSeq;
  private volatile long drainedSeq;

  private final LogRoom room;
  private final Drain drain;
  private final NameLook nameLook;
  private volatile boolean closed;

  /** Why the log's memory may not be touched any more. */
  private volatile @Nullable String fault;

  final LongAdder aborts = new LongAdder();
  final LongAdder absorbedForces = new LongAdder();
  final LongAdder forces = new LongAdder();

  /**
   * Begins where a {@linkplain Recovery recovery} ended.
   *
   * @param clockMillis the time of day, which records have
   */
  public LogEngine(
      LogMemory memory,
      LogLayout layout,
      Disk disk,
      LogSettings settings,
      LongSupplier clockMillis) {
    this.memory = memory;
    this.layout = layout;
    this.disk = disk;
    this.settings = settings;
    this.clockMillis = clockMillis;
    LogRegion head = memory.head();
    this.epoch = (int) head.getLong(LogLayout.EPOCH);
    this.drainedSeq = head.getLong(LogLayout.DRAINED_SEQ);
    this.lastSeq = new AtomicLong(drainedSeq);
    this.lanes = new Lane[layout.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] =
          new Lane(i, memory.lane(i), epoch, layout.logId(), head.getLong(LogLayout.laneTail(i)));
    }
    this.pages =
        settings.propagation() == Propagation.DEFERRED
            ? PendingPages.of(memory, layout, MAX_PENDING_PAGES)
            : null;
    this.files = new OpenFiles(this, new FileTable(head, layout.fileSlots(), epoch));
    this.drain = new Drain(this);
    this.room = new LogRoom(this, drain);
    this.nameLook = new NameLook(this);
    if (!settings.roots().isEmpty()) {
      // From here on the page cache has all, or not.
      head.putLong(LogLayout.RUN, pages == null ? disk.run(settings.roots().get(0)) : 0);
      head.persist(LogLayout.RUN, Long.BYTES);
    }
  }

  /** Sets what a writer calls when a drain should begin soon. */
  public void onWork(Runnable action) {
    room.onWork(action);
  }

  LogRegion head() {
    return memory.head();
  }

  LogLayout layout() {
    return layout;
  }

  Disk disk() {
    return disk;
  }

  /** Returns how this engine behaves. */
  public LogSettings settings() {
    return settings;
  }

  int epoch() {
    return epoch;
  }

  Lane[] lanes() {
    return lanes;
  }

  /** Returns what is deferred; null where each write reaches the page cache at once. */
  @Nullable PendingPages pages() {
    return pages;
  }

  OpenFiles openFiles() {
    return files;
  }

  NameLook nameLook() {
    return nameLook;
  }

  /** Looks at the names of files before those in a directory are made durable. */
  public void beforeDirectoryForce() throws IOException {
    requireMemory();
    nameLook.beforeDirectoryForce();
  }

  /** Lets go of files that were kept for a mapping, and that no program can open again. */
  public void lookAtKept() throws IOException {
    nameLook.lookAtKept();
  }

  LogRoom room() {
    return room;
  }

  long clockMillis() {
    return clockMillis.getAsLong();
  }

  /** Returns the number of the last record. */
  public long lastSeq() {
    return lastSeq.get();
  }

  /** Returns the number up to which all is in the files, durably. */
  public long drainedSeq() {
    return drainedSeq;
  }

  /** Publishes what the medium holds already. */
  void drained(long seq) {
    drainedSeq = seq;
  }

  /** Returns the largest number such that no smaller one is still on its way to its file. */
  long applied() {
    long applied = lastSeq.get();
    for (Lane lane : lanes) {
      long inFlight = lane.inFlight();
      if (inFlight != 0) {
        applied = Math.min(applied, inFlight - 1);
      }
    }
    return applied;
  }

  // ---- files

  /** Returns the files that are open or not drained. */
  public Collection<LoggedFile> files() {
    return files.all();
  }

  /** Holds the names of all files: to be taken around an opening, a renaming, a deletion. */
  public ReentrantLock names() {
    return files.names();
  }

  /**
   * Opens a file for logged writes. The caller holds the names.
   *
   * @param path absolute, without links, in a root, and there
   * @param key equal for all names of one file
   * @param created whether the caller has just created it, so that its name is not durable yet
   * @throws IOException if its path is too long for the table, or it can't be opened for writing
   */
  public LoggedFile open(Path path, Object key, boolean created) throws IOException {
    requireOpen();
    return files.open(path, key, created);
  }

  /** Opens a file for reading what the log holds of it. The caller holds the names. */
  public LoggedFile openToRead(Path path, Object key) throws IOException {
    requireOpen();
    return files.openToRead(path, key);
  }

  /**
   * Opens a file for a writer that the log does not see: it is drained, and its changes are not
   * logged until it has no user. The caller holds the names.
   */
  public LoggedFile openOutside(Path path, Object key) throws IOException {
    requireOpen();
    return files.openOutside(path, key);
  }

  /** Returns the file of a key if it is open or not drained. The caller holds the names. */
  public @Nullable LoggedFile find(Object key) {
    return files.find(key);
  }

  /** Returns whether the path that the log knows of a file leads to it. */
  public boolean isAtItsName(LoggedFile file) throws IOException {
    return files.isAtItsName(file);
  }

  /**
   * Returns whether a file has more names than this one, by which a recovery finds it. Where the
   * file system tells no time of birth, it finds a file only by the name that it was opened by.
   */
  public boolean hasOtherNames(LoggedFile file, Path name) throws IOException {
    return file.identity().birth() != Disk.NO_BIRTH && disk.links(name) > 1;
  }

  /** Gives a file its new name in the table. The caller holds the names and the drained file. */
  public void renamed(LoggedFile file, Path to) {
    files.renamed(file, to);
  }

  /**
   * Brings a plain file to the disk that did not come through the log. Does nothing where each sync
   * that a program asks for reaches the disk.
   */
  public void syncFile(Path path) throws IOException {
    if (settings.absorbsForce() && disk.identify(path) != null) {
      forces.increment();
      disk.syncFile(path);
    }
  }

  /** Makes the names on the way from a file's root to the file durable. */
  public void syncDirectories(Path path) throws IOException {
    Path root = settings.rootOf(path);
    for (Path directory = path.getParent();
        directory != null && root != null && directory.startsWith(root);
        directory = directory.getParent()) {
      disk.syncDirectory(directory);
    }
  }

  // ---- numbers

  /** Allots a number. */
  long nextSeq(Lane lane) {
    lane.announce(lastSeq.get() + 1);
    long seq = lastSeq.incrementAndGet();
    lane.announce(seq);
    return seq;
  }

  /** Returns whether writers may soon wait for room. */
  boolean isFilling() {
    return room.isFilling();
  }

  // ---- drain

  /** Drains a batch of what is applied; does nothing while another thread does. */
  public boolean drain() {
    return drain.tryRun();
  }

  /**
   * Drains what was appended before, unless the disk fails. With nothing to drain it closes files
   * that an earlier round could not close, since another thread held the names.
   */
  public void drainPending() {
    long seq = lastSeq.get();
    boolean goesOn = drainedSeq < seq || (fault == null && drain.tryRun());
    while (goesOn && drainedSeq < seq) {
      goesOn = drain.tryRun();
    }
  }

  /**
   * Drains until a number.
   *
   * @throws IOException if the disk fails
   */
  public void drainTo(long seq) throws IOException {
    long deadline = System.nanoTime() + settings.spaceTimeoutNanos();
    while (drainedSeq < seq) {
      requireMemory(); // Who holds a file while the log is closed gets no further.
      long before = drainedSeq;
      drain.run(deadline);
      if (drainedSeq > before) {
        deadline = System.nanoTime() + settings.spaceTimeoutNanos();
      } else if (drainedSeq < seq && System.nanoTime() - deadline >= 0) {
        Throwable failure = drain.failure();
        throw new IOException(
            "the write log could not be drained in "
                + settings.spaceTimeoutNanos() / 1_000_000
                + " ms"
                + (failure == null ? "" : ": " + failure),
            failure);
      } else if (drain.failure() != null) {
        LockSupport.parkNanos(Drain.RETRY_NANOS); // A disk that fails gets no storm of repairs.
      }
    }
  }

  /** Returns why the last drain failed; null if it did not. */
  public @Nullable Throwable drainFailure() {
    return drain.failure();
  }

  /**
   * Returns whether no round of the drain touches the log's memory any more, once it {@linkplain
   * #fail failed} or was closed. A sync that hangs may yet return.
   */
  public boolean hasLetGo() {
    return drain.awaitRound(END_OF_ROUND_NANOS);
  }

  /** Drains all, closes the files, and lets go of the log's memory. */
  public void close() throws IOException {
    closed = true;
    try {
      drainTo(lastSeq.get());
    } finally {
      if (fault == null) {
        // Another log may have the memory soon, and a channel that is open knows only of this one.
        fail("the write log is closed");
      }
      boolean hasLetGo = hasLetGo();
      for (LoggedFile file : List.copyOf(files.all())) {
        if (!hasLetGo && file.isHeld()) {
          continue; // A sync hangs in it, and to close it would wait for that.
        }
        file.lock(); // A write that began before ends before.
        try {
          file.closeFile();
        } finally {
          file.unlock();
        }
      }
    }
  }

  /** Says that the log lives: a recovery checks that no other program has changed a file since. */
  void heartbeat() {
    long now = clockMillis();
    LogRegion head = head();
    if (now - head.getLong(LogLayout.HEARTBEAT) >= HEARTBEAT_MILLIS) {
      head.putLong(LogLayout.HEARTBEAT, now);
      head.persist(LogLayout.HEARTBEAT, Long.BYTES);
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the write log is closed");
    }
  }

  /** Has all that needs the log's memory fail from now on. */
  public void fail(String why) {
    fault = why;
  }

  /** Returns why the log's memory may not be touched any more; null if it may. */
  public @Nullable String fault() {
    return fault;
  }

  void requireMemory() throws IOException {
    String why = fault;
    if (why != null) {
      throw new IOException(why);
    }
  }

  // ---- figures

  /** Returns the bytes of the lanes that hold what is not drained. */
  public long pendingBytes() {
    long bytes = 0;
    for (Lane lane : lanes) {
      bytes += lane.head() - lane.tail();
    }
    return bytes;
  }

  /** Returns the pages whose newest bytes only the log has; 0 if writes propagate at once. */
  public long pendingPages() {
    return pages == null ? 0 : pages.used();
  }

  /** Returns the bytes of memory that the index of such pages takes. */
  public long pageIndexBytes() {
    return pages == null ? 0 : pages.bytes();
  }

  /** Returns how many records were appended. */
  public long records() {
    long records = 0;
    for (Lane lane : lanes) {
      records += lane.records();
    }
    return records;
  }

  /** Returns how many bytes the records held. */
  public long payloadBytes() {
    long bytes = 0;
    for (Lane lane : lanes) {
      bytes += lane.payloadBytes();
    }
    return bytes;
  }

  /** Returns how often a write waited for room. */
  public long waits() {
    return room.waits();
  }

  /** Returns how many records were made void since their change failed. */
  public long aborts() {
    return aborts.sum();
  }

  /** Returns whether writes may be visible before the page cache has them. */
  public boolean defers() {
    return pages != null;
  }

  /** Returns how many calls of {@code force} the log made unnecessary. */
  public long absorbedForces() {
    return absorbedForces.sum();
  }

  /** Returns how many calls of {@code force} reached the disk. */
  public long forces() {
    return forces.sum();
  }

  /** Returns what the drain has done. */
  public DrainFigures drainFigures() {
    return drain.figures();
  }
}
