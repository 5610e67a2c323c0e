// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.log.Disk.Identity;
import io.nvcache.writelog.log.FileTable.Entry;
import io.nvcache.writelog.log.FileTable.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
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
  /** Tells the drain that there is work. */
  private static final int WAKE_FRACTION = 4;

  /** Of 28 bytes each; a log of 32 GiB is full before, if its writes are pages. */
  private static final int MAX_PENDING_PAGES = 8 << 20;

  private static final long RETRY_NANOS = 1_000_000;

  private static final long HEARTBEAT_MILLIS = 500;

  private final LogMemory memory;
  private final LogLayout layout;
  private final Disk disk;
  private final LogSettings settings;
  private final LongSupplier clockMillis;
  private final Lane[] lanes;

  /** Null where each write reaches the page cache before it returns. */
  private final @Nullable PendingPages pages;

  private final FileTable table;
  private final int epoch;

  private final AtomicLong lastSeq;
  private volatile long drainedSeq;

  private final ReentrantLock names = new ReentrantLock();
  private final Map<Object, LoggedFile> files = new ConcurrentHashMap<>();
  private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
  private long generation;

  private final ReentrantLock spaceLock = new ReentrantLock();
  private final Condition spaceFreed = spaceLock.newCondition();
  private final Drain drain;
  private volatile Runnable wake = () -> {};
  private volatile boolean closed;

  final LongAdder waits = new LongAdder();
  final LongAdder aborts = new LongAdder();
  final LongAdder absorbedForces = new LongAdder();
  final LongAdder forces = new LongAdder();

  /**
   * Begins where a {@linkplain Recovery recovery} ended.
   *
   * @param clockMillis the time of day, for what records say
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
    this.table = new FileTable(head, layout.fileSlots(), epoch);
    for (int slot = 0; slot < layout.fileSlots(); slot++) {
      freeSlots.add(slot);
    }
    this.drain = new Drain(this);
  }

  /** Sets what a writer calls when a drain should begin soon. */
  public void onWork(Runnable action) {
    wake = action;
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

  @Nullable PendingPages pages() {
    return pages;
  }

  FileTable table() {
    return table;
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
    return files.values();
  }

  /** Holds the names of all files: to be taken around an opening, a renaming, a deletion. */
  public ReentrantLock names() {
    return names;
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
    requireShortPath(path);
    LoggedFile file = known(path, key, created);
    file.retain();
    try {
      file.openToWrite();
      return file;
    } catch (IOException | RuntimeException | Error e) {
      file.release();
      throw e;
    }
  }

  /** Opens a file for reading what the log holds of it. The caller holds the names. */
  public LoggedFile openToRead(Path path, Object key) throws IOException {
    LoggedFile file = known(path, key, false);
    file.retain();
    return file;
  }

  private LoggedFile known(Path path, Object key, boolean created) throws IOException {
    requireOpen();
    LoggedFile file = files.get(key);
    if (file == null || isOfAnotherFile(file, path)) {
      Identity identity = disk.identify(path);
      if (identity == null) {
        throw new NoSuchFileException(path.toString());
      }
      file = new LoggedFile(this, path, key, identity, created);
      files.put(key, file);
    }
    return file;
  }

  /**
   * Returns whether a key has passed to another file. The system gives the number of a deleted file
   * to the next one, unless somebody holds the deleted one open, and the log does so only with
   * files that were opened for writing.
   */
  private boolean isOfAnotherFile(LoggedFile file, Path path) throws IOException {
    if (file.isOpenToWrite()) {
      return false;
    }
    if (file.hasLeft()) {
      return true;
    }
    if (file.path().equals(path)) {
      return false;
    }
    Identity there = disk.identify(file.path());
    return there == null || there.inode() != file.inode();
  }

  private static void requireShortPath(Path path) throws IOException {
    int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > FileTable.MAX_PATH_BYTES) {
      throw new IOException(
          "can't log writes of "
              + path
              + ": its path has "
              + bytes
              + " bytes, and at most "
              + FileTable.MAX_PATH_BYTES
              + " are possible; move it nearer to the root, or take its directory out of the"
              + " roots");
    }
  }

  /** Returns the file of a key if it is open or not drained. The caller holds the names. */
  public @Nullable LoggedFile find(Object key) {
    return files.get(key);
  }

  /** Gives a file an id that the table holds durably. The caller holds the file. */
  void enter(LoggedFile file, Identity identity, boolean created) throws IOException {
    long id;
    synchronized (freeSlots) {
      Integer slot = freeSlots.poll();
      if (slot == null) {
        throw new IOException(
            "can't log writes of "
                + file.path()
                + ": all "
                + layout.fileSlots()
                + " file slots of the log are in use; open fewer files at a time, or make a log"
                + " with more fileSlots");
      }
      id = FileTable.idOf(slot, ++generation);
    }
    table.put(
        new Entry(
            id,
            file.path().toString(),
            identity.inode(),
            identity.mode(),
            created ? State.CREATED : State.KNOWN));
    file.entered(id);
  }

  private void leave(LoggedFile file) {
    if (file.id() != 0) {
      synchronized (freeSlots) {
        freeSlots.add(FileTable.slotOf(file.id()));
      }
      file.entered(0);
    }
  }

  /** Closes a file that has no user, once the medium holds a drained number behind its last one. */
  void closeIfIdle(LoggedFile file) throws IOException {
    if (!names.tryLock()) {
      return; // The next drain comes by.
    }
    try {
      if (file.isIdle() && files.remove(file.key(), file)) {
        leave(file);
        file.closeFile();
      }
    } finally {
      names.unlock();
    }
  }

  /** Gives a file its new name in the table. The caller holds the names and the drained file. */
  public void renamed(LoggedFile file, Path to) {
    leave(file);
    file.moved(to);
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

  // ---- room

  /** Returns a lane with room for a record, held; null if the log is full. */
  @Nullable Lane acquireLane(int payload) {
    int first = (int) (Thread.currentThread().getId() % lanes.length);
    Lane busy = null;
    for (int i = 0; i < lanes.length; i++) {
      Lane lane = lanes[first + i < lanes.length ? first + i : first + i - lanes.length];
      if (lane.tryAcquire()) {
        if (lane.fits(payload)) {
          return lane;
        }
        lane.release();
      } else if (busy == null && lane.fits(payload)) {
        busy = lane;
      }
    }
    if (busy != null && drain.mayWait()) {
      busy.acquire();
      if (busy.fits(payload)) {
        return busy;
      }
      busy.release();
    }
    return null;
  }

  /** Allots a number. */
  long nextSeq(Lane lane) {
    lane.announce(lastSeq.get() + 1);
    long seq = lastSeq.incrementAndGet();
    lane.announce(seq);
    return seq;
  }

  /** Has a drain begin soon if a lane fills. */
  void appended(Lane lane) {
    if (isFilling(lane)) {
      wake.run();
    }
  }

  private static boolean isFilling(Lane lane) {
    return lane.head() - lane.tail() > lane.region().bytes() / WAKE_FRACTION;
  }

  /** Returns whether writers may soon wait for room. */
  boolean isFilling() {
    for (Lane lane : lanes) {
      if (isFilling(lane)) {
        return true;
      }
    }
    synchronized (freeSlots) {
      if (freeSlots.size() < layout.fileSlots() / WAKE_FRACTION) {
        return true;
      }
    }
    return pages != null && pages.used() > pages.capacity() / WAKE_FRACTION;
  }

  /**
   * Waits until there may be room. The caller holds no lock.
   *
   * @param deadlineNanos of {@link System#nanoTime}
   */
  void awaitSpace(int payload, long deadlineNanos) throws IOException {
    waits.increment();
    wake.run();
    if (drain.tryRun()) {
      return;
    }
    spaceLock.lock();
    try {
      if (System.nanoTime() - deadlineNanos >= 0) {
        throw new IOException(
            "the write log is full: "
                + pendingBytes()
                + " of "
                + (long) layout.lanes() * layout.laneBytes()
                + " bytes wait for the disk"
                + (pages == null ? "" : ", in " + pages.used() + " pages")
                + ", and none became free in "
                + settings.spaceTimeoutNanos() / 1_000_000
                + " ms; see why the drain stands still, or make the log longer");
      }
      waitForSpace();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Thread.onSpinWait(); // Tried again by the caller until the deadline.
    } finally {
      spaceLock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the caller tries again in any case
  private void waitForSpace() throws InterruptedException {
    boolean unused = spaceFreed.awaitNanos(RETRY_NANOS) > 0;
  }

  /** Wakes the writers that wait. */
  void freed() {
    spaceLock.lock();
    try {
      spaceFreed.signalAll();
    } finally {
      spaceLock.unlock();
    }
  }

  // ---- drain

  /** Drains a batch of what is applied; does nothing while another thread does. */
  public boolean drain() {
    return drain.tryRun();
  }

  /** Drains what was appended before, as far as the disk lets it. */
  public void drainPending() {
    long seq = lastSeq.get();
    boolean goesOn = true;
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
        LockSupport.parkNanos(RETRY_NANOS); // A disk that fails gets no storm of repairs.
      }
    }
  }

  /** Returns why the last drain failed; null if it did not. */
  public @Nullable Throwable drainFailure() {
    return drain.failure();
  }

  /** Drains all, and closes the files. */
  public void close() throws IOException {
    closed = true;
    try {
      drainTo(lastSeq.get());
    } finally {
      for (LoggedFile file : List.copyOf(files.values())) {
        file.closeFile();
      }
    }
  }

  /** Says that the log lives, for the check that no other program has changed a file since. */
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
    return waits.sum();
  }

  /** Returns how many records were made void since their change failed. */
  public long aborts() {
    return aborts.sum();
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
