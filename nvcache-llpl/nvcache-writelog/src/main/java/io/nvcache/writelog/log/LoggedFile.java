// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.Disk.Identity;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.disk.FileLength;
import io.nvcache.writelog.disk.FileSource;
import io.nvcache.writelog.pages.PendingPages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A file whose changes go through the log: each is durable there before it is visible, and visible
 * before it returns.
 *
 * <p>Which way a change goes says the {@linkplain Route route}, which only ever moves down:
 *
 * <pre>
 * DEFERRED   the log; readers find it there until the drain has carried it to the page cache
 *    |       {@link #writeThrough}: a mapping, a stream or direct I/O reads the file
 * ON_WRITE   the log, and the page cache before the call returns
 *    |       {@link #leave}: nothing of it is in the log, and a replay must not touch it: it was
 *    |       deleted, moved out of the roots, or may be written by others
 * PAST_LOG   the page cache alone
 * </pre>
 *
 * <p>Deferred are writes only. To be cut, mapped, or renamed, a file is drained before.
 *
 * <p>The life of a file: {@link OpenFiles} makes it for its first user. Its first record since it
 * was opened or drained gives it an id, which is a slot of the log's table; the slot is free again
 * when it is drained and unused, or when it leaves the log. It is closed when it has no user, no
 * mapping and no record. A {@linkplain #sickness sick} file, which the disk refuses, takes no
 * change any more: the log's bytes of it are with the orphans.
 *
 * <p>The lock orders the changes of the file, in the log as on the disk. It is not reentrant, so
 * that a crash test may run one writer inside another. Who holds it may change what "written under
 * the lock" says. The order of the locks is at {@link LogEngine}.
 */
public final class LoggedFile {
  /** The way of a change. */
  private enum Route {
    DEFERRED,
    ON_WRITE,
    PAST_LOG
  }

  private final LogEngine engine;
  private final Object key;
  private final Identity identity;
  private final Semaphore lock = new Semaphore(1);
  private final FileUses uses;
  private final FileSyncs syncs;
  private final LoggedChanges changes;

  /** Opened by the first channel that may write; guarded by the engine's names. */
  private volatile @Nullable DiskFile file;

  /** Written under the lock. */
  private volatile Path path;

  /** 0 while the table does not know the file; written under the lock. */
  private volatile long id;

  /** Of the last record; written under the lock. */
  private volatile long lastSeq;

  /** Who holds the file and changes nothing but by the drain; null if no thread does. */
  private volatile @Nullable Thread settler;

  /** Why the file can't be written any more. */
  private volatile @Nullable String sickness;

  /** Written under the lock. */
  private volatile Route route;

  /** Whether no write may enter the log any more; written under the lock. */
  private boolean closed;

  /** The length while a deferred write is not drained; written under the lock. */
  private volatile long newestLength;

  LoggedFile(LogEngine engine, Path path, Object key, Identity identity, boolean created) {
    this.engine = engine;
    this.path = path;
    this.key = key;
    this.identity = identity;
    this.route = engine.pages() == null ? Route.ON_WRITE : Route.DEFERRED;
    this.uses = new FileUses(engine, this);
    this.syncs = new FileSyncs(engine, this, created);
    this.changes = new LoggedChanges(engine, this);
  }

  /** Opens the file for changes. The caller holds the names. */
  void openToWrite() throws IOException {
    if (file == null) {
      if (syncs.isNameNew()) {
        file = engine.disk().openOwn(path); // Its maker may write it, whatever its permissions are.
        return;
      }
      // The name may be as new as the file, and made by a program that does not sync it.
      engine.syncDirectories(path);
      file = engine.disk().open(path);
    }
  }

  /** Returns whether the log holds the file open, so that no other file has its key. */
  boolean isOpenToWrite() {
    return file != null;
  }

  /** Returns where the file lies. */
  public Path path() {
    return path;
  }

  Identity identity() {
    return identity;
  }

  /** Returns whether the path that the log knows of it leads to it. */
  public boolean isAtItsName() throws IOException {
    return identity.isSameFile(engine.disk().identify(path));
  }

  /**
   * Returns whether a recovery finds it by another name, of as many as it has. Where the file
   * system tells no time of birth, it finds a file only by the name that it was opened by.
   */
  public boolean isFoundByOtherNames(int names) {
    return names > 1 && identity.birth() != Disk.NO_BIRTH;
  }

  Object key() {
    return key;
  }

  long id() {
    return id;
  }

  void entered(long newId) {
    id = newId;
  }

  /** Its new name will be durable before the file is let go. */
  void moved(Path to) {
    path = to;
    syncs.renamed();
  }

  /** Another program has renamed it, or this one past the log. The caller holds it. */
  void renamedOutside(Path to) throws IOException {
    OpenFiles.requireShortPath(to);
    path = to;
    if (lastSeq <= engine.drainedSeq()) {
      engine.openFiles().freeSlot(this); // A recovery may find it sooner by its new name.
    }
  }

  long lastSeq() {
    return lastSeq;
  }

  /** Returns who needs it. */
  public FileUses uses() {
    return uses;
  }

  /** Returns its syncs. */
  FileSyncs syncs() {
    return syncs;
  }

  DiskFile file() {
    DiskFile open = file;
    if (open == null) {
      throw new IllegalStateException(path + " is open for reading only");
    }
    return open;
  }

  /** Returns why the file can't be written; null if it can. */
  public @Nullable String sickness() {
    return sickness;
  }

  void sicken(String why) {
    sickness = why;
    engine.sickened();
  }

  /** Returns whether its changes go past the log, since it was mapped or deleted. */
  public boolean hasLeft() {
    return route == Route.PAST_LOG;
  }

  /** Returns whether a thread is changing the file, or syncing it. */
  public boolean isHeld() {
    return lock.availablePermits() == 0 || syncs.isHeld();
  }

  boolean tryLock() {
    return lock.tryAcquire();
  }

  /** Holds up the file's changes; not reentrant. */
  public void lock() {
    lock.acquireUninterruptibly();
  }

  /** Lets changes continue. */
  public void unlock() {
    lock.release();
  }

  /** Closes it. The caller holds it. */
  void closeFile() throws IOException {
    closed = true;
    DiskFile open = file;
    if (open != null) {
      open.close();
    }
  }

  /** Returns whether writes become visible before the page cache has them. */
  public boolean isDeferred() {
    return route == Route.DEFERRED;
  }

  boolean isDirty() {
    return isDeferred() && lastSeq > engine.drainedSeq();
  }

  /** Returns the length of a dirty file. */
  long newestLength() {
    return newestLength;
  }

  /**
   * Returns the length in bytes, with all that returned.
   *
   * @param source asked only when the file has all: before, a drain could make its answer old
   * @throws IOException if the source fails, or the file is sick, so that its length is an old one
   */
  public long length(FileLength source) throws IOException {
    requireWhole();
    return isDirty() ? newestLength : source.bytes();
  }

  /** Returns the length of a file that may be written. */
  long size() throws IOException {
    return isDirty() ? newestLength : file().size();
  }

  /**
   * Reads the newest bytes, wherever they are.
   *
   * @param source what the file holds
   * @return how many bytes; -1 at the end
   * @throws IOException if the source fails, or the file is sick, so that what was acknowledged is
   *     in neither place
   */
  public int read(ByteBuffer target, long position, FileSource source) throws IOException {
    PendingPages pages = engine.pages();
    if (pages == null) {
      return source.read(target, position);
    }
    if (!isDeferred()) {
      requireNotSick(); // Also one that was renamed, and left the log by that.
      return source.read(target, position);
    }
    return DeferredRead.run(this, pages, target, position, source);
  }

  /** Returns once others than readers of the log see all changes until now. */
  public void publish() throws IOException {
    if (isDirty()) {
      engine.drainTo(lastSeq);
      requireHealthy();
    }
    requireWhole();
  }

  /** Refuses a sick file whose bytes the page cache does not have either. */
  private void requireWhole() throws IOException {
    if (engine.defers()) {
      requireNotSick();
    }
  }

  /** Returns once the log has no change until now, which a recovery would make again. */
  public void drain() throws IOException {
    if (lastSeq > engine.drainedSeq()) {
      engine.drainTo(lastSeq);
    }
  }

  /** Has changes from now on be visible to others as well; for a mapping. */
  public void writeThrough() throws IOException {
    lock();
    try {
      settle();
      if (route == Route.DEFERRED) {
        route = Route.ON_WRITE;
      }
      engine.openFiles().freeSlot(this); // A mapping may keep the file open for good.
    } finally {
      unlock();
    }
  }

  /**
   * Writes all that remains in buffers, at a position or, if it is negative, at the end. No other
   * change of the file comes between, unless the log is full: then what is left waits, and is
   * appended where the end is by that time.
   *
   * @return where the first byte went
   * @throws IOException if the file is sick, its disk refused the bytes, or the log stayed full;
   *     what was written until then is as after any failed write
   */
  public long write(ByteBuffer[] sources, int first, int count, long position) throws IOException {
    return changes.write(sources, first, count, position);
  }

  /** Cuts the file to a length that is shorter. */
  public void truncate(long bytes) throws IOException {
    changes.truncate(bytes);
  }

  /** Makes the file at least so long: what is added is zeros, of which the log has the last one. */
  public void lengthen(long bytes) throws IOException {
    changes.lengthen(bytes);
  }

  /** Returns whether no write may enter the log any more. The caller holds the file. */
  boolean isClosed() {
    return closed;
  }

  /** Notes the length that readers see while a write is deferred. The caller holds the file. */
  void lengthened(long bytes) {
    newestLength = bytes;
  }

  /** Notes its last record. The caller holds the file. */
  void appended(long seq) {
    lastSeq = seq;
  }

  void requireHealthy() throws IOException {
    engine.requireMemory();
    requireNotSick();
  }

  /**
   * Refuses a sick file: what was acknowledged is not in it.
   *
   * @throws IOException with why it can't be written any more
   */
  public void requireNotSick() throws IOException {
    String why = sickness;
    if (why != null) {
      throw new IOException(why);
    }
  }

  /**
   * Returns once all changes until now are durable: at once where the log outlives a loss of power,
   * and else when they are on the disk. The first time it is the disk also for a file that was
   * there before it was opened, since the log knows nothing of its bytes.
   */
  public void force() throws IOException {
    requireHealthy();
    engine.nameLook().beforeForce();
    if (engine.settings().absorbsForce()
        && !hasLeft()
        && !syncs.isNameNew()
        && !syncs.isForeign()) {
      engine.figures().absorbedForces.increment();
      return;
    }
    sync();
  }

  /** Brings all changes until now to the disk. */
  public void sync() throws IOException {
    publish();
    lock();
    try {
      requireHealthy();
      engine.figures().forces.increment();
      syncs.force();
      syncs.syncName();
      syncs.reportLoss();
    } finally {
      unlock();
    }
  }

  /**
   * Brings all changes to the disk and out of the log, so that no recovery touches the file. The
   * caller holds the file, and its changes.
   */
  public void settle() throws IOException {
    Thread before = settler;
    beginSettling();
    try {
      drain();
    } finally {
      settler = before;
    }
    requireHealthy();
  }

  /**
   * Lets a drain by this thread repair the file, which the caller holds: it would wait for itself
   * else. {@link #endSettling} must follow.
   */
  void beginSettling() {
    settler = Thread.currentThread();
  }

  void endSettling() {
    settler = null;
  }

  /** Returns whether this thread holds the file, and only to have it drained. */
  boolean isSettledByThisThread() {
    return settler == Thread.currentThread();
  }

  /** Brings all changes to the disk, and has further ones go past the log. */
  public void settleAndLeave() throws IOException {
    lock();
    try {
      settle();
      leave();
    } finally {
      unlock();
    }
  }

  /** Has further changes go past the log. The caller holds the file, which is settled. */
  public void leave() {
    route = Route.PAST_LOG;
    if (lastSeq <= engine.drainedSeq()) { // A sick file may have records yet.
      engine.openFiles().freeSlot(this);
    }
  }
}
