// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLogStats;
import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.Lane;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogScan;
import io.nvcache.writelog.format.LogState;
import io.nvcache.writelog.pages.PendingPages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends changes of files to the log, and drains it. The life of a change:
 *
 * <ol>
 *   <li>a {@linkplain LoggedFile file}, which the writer holds, gets a lane with room ({@link
 *       LogRoom}) and a number ({@link #nextSeq}), and appends a record ({@link Lane}): from here
 *       on a recovery finds it;
 *   <li>it is applied to the page cache, or noted in the {@link PendingPages}: from here on readers
 *       see it, and the lane is released;
 *   <li>a round of the {@link Drain} brings it to the file's disk and moves the drained number, and
 *       then the tails of the lanes: from here on a recovery passes over it;
 *   <li>its room in the lane is used again.
 * </ol>
 *
 * <p>Order of locks: names, then files, then one lane. Who waits for room in the log holds none of
 * them, so the drain always ends. The drain takes no file's lock but by trying, and the names only
 * by trying. A thread that changes a name drains while it holds the names and the file.
 *
 * <p>A number is allotted under a lane that announced a lower bound before. So a drain that reads
 * the last number first and the lanes then misses none that is not applied: see {@link #applied}.
 *
 * <p>Thread-safe. An engine ends for good: after {@link #fail}, each call that needs the log's
 * memory fails; {@link #close} drains first, then fails it likewise, and closes the files.
 */
public final class LogEngine {
  /** Of 28 bytes each; a log of 32 GiB is full before, if its writes are pages. */
  private static final int MAX_PENDING_PAGES = 8 << 20;

  private static final long END_OF_ROUND_NANOS = 1_000_000_000;

  private final LogState state;
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

  /** Whether any file ever was sick. */
  private volatile boolean sickened;

  /** Why the log's memory may not be touched any more. */
  private volatile @Nullable String fault;

  private final LogFigures figures = new LogFigures();

  /**
   * Begins where a recovery ended.
   *
   * @param clockMillis the time of day, which records have
   * @throws IOException if the log's memory can't be written
   */
  public LogEngine(
      LogMemory memory, LogLayout layout, Disk disk, LogSettings settings, LongSupplier clockMillis)
      throws IOException {
    this.layout = layout;
    this.disk = disk;
    this.settings = settings;
    this.clockMillis = clockMillis;
    this.state = new LogState(memory);
    this.epoch = state.epoch();
    this.drainedSeq = state.drainedSeq();
    this.lastSeq = new AtomicLong(drainedSeq);
    this.lanes = new Lane[layout.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = new Lane(i, memory.lane(i), epoch, layout.logId(), state.tail(i));
    }
    this.pages =
        settings.propagation() == Propagation.DEFERRED
            ? PendingPages.of(memory, layout, MAX_PENDING_PAGES)
            : null;
    this.files = new OpenFiles(this, new FileTable(memory.head(), layout.fileSlots(), epoch));
    this.drain = new Drain(this);
    this.room = new LogRoom(this, drain);
    this.nameLook = new NameLook(this);
    if (!settings.roots().isEmpty()) {
      // From here on the page cache has all, or not.
      state.putRun(pages == null ? disk.run(settings.roots().get(0)) : 0);
    }
  }

  /** Sets what a writer calls when a drain should begin soon. */
  public void onWork(Runnable action) {
    room.onWork(action);
  }

  LogState state() {
    return state;
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

  /** Returns the files that lie at a path or below, and another one. The caller holds the names. */
  public List<LoggedFile> filesAt(Path path, @Nullable LoggedFile other) throws IOException {
    return files.at(path, other);
  }

  /** Returns how many names a file has; 0 if it is missing. */
  public int links(Path name) throws IOException {
    return disk.links(name);
  }

  /**
   * Brings a plain file to the disk that did not come through the log. Does nothing where each sync
   * that a program asks for reaches the disk.
   */
  public void syncFile(Path path) throws IOException {
    if (settings.absorbsForce() && disk.identify(path) != null) {
      figures.forces.increment();
      disk.syncFile(path);
    }
  }

  /** Makes the names on the way from a file's root to the file durable. */
  public void syncDirectories(Path path) throws IOException {
    for (Path directory : settings.directoriesOf(path)) {
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

  /** Reads what was appended until now and is not drained; for the thread that drains. */
  LogScan scan() {
    return LogScan.of(lanes, epoch, layout.logId(), drainedSeq);
  }

  /** Says that the log lives: a recovery checks that no other program has changed a file since. */
  void heartbeat() throws IOException {
    state.beat(clockMillis());
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

  LogFigures figures() {
    return figures;
  }

  /** Returns the figures of now. */
  public WriteLogStats stats() {
    return figures.read(this);
  }

  /** Returns whether writes may be visible before the page cache has them. */
  public boolean defers() {
    return pages != null;
  }

  /** Returns whether the page cache may lack what returned: not drained yet, or of a sick file. */
  public boolean isBehind() {
    return pages != null && (sickened || drainedSeq != lastSeq.get());
  }

  /** A file is sick from now on. */
  void sickened() {
    sickened = true;
  }
}
