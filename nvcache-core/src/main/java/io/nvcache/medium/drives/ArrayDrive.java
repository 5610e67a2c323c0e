// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.background.Waiting;
import io.nvcache.medium.DriveException;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.medium.ReadBatch;
import io.nvcache.medium.file.UninterruptibleIo;
import io.nvcache.memory.AlignedBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One drive of a {@link ArrayMedium}: reads and writes it, and judges by that whether it is lost.
 *
 * <pre>
 *   | label | label | superblock | superblock | unit 0 | unit 1 | …
 *     4 KiB   4 KiB   4 KiB        4 KiB
 * </pre>
 *
 * <p>A drive is lost when two writes or flushes fail in a row, when reads fail often and more of
 * them than succeed, when a write does not end in time, or when who looks at it says so. Where it
 * is the last that serves, what it throws is thrown on: then the medium as a whole fails.
 *
 * <p>Reads are made by the calling thread; writes, one at a time, by the drive's own, from a copy
 * of the bytes, which may outlive the call.
 */
final class ArrayDrive {
  static final int LABELS_BYTES = 2 * ArrayLabel.BYTES;
  static final int SUPERBLOCKS_BYTES = 8 << 10;
  static final int UNITS_AT = LABELS_BYTES + SUPERBLOCKS_BYTES;

  private static final Logger LOG = LoggerFactory.getLogger(ArrayDrive.class);
  private static final int LEAST_COPY_BYTES = 64 << 10;
  private static final int MOST_WRITE_FAILURES = 2;
  private static final int MOST_READ_FAILURES = 16;
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The other drives. */
  interface Others {
    /** Returns whether any of them serves. */
    boolean serve(ArrayDrive but);

    /** Takes a drive out, and returns true; unless no other serves, then it stays. */
    boolean lose(ArrayDrive drive, String reason);
  }

  final DriveSource source;
  final int number;
  final int units;
  final DriveCalls calls = new DriveCalls();

  private final long hangNanos;
  private final Others others;
  private final ReentrantLock writing = new ReentrantLock();

  /** Null if it could not be opened. */
  private volatile @Nullable Medium medium;

  private final DriveThread thread;
  private volatile boolean failed;

  /** Whether it is open again, and yet to serve: only what makes it ready reads and writes it. */
  private volatile boolean returning;

  private volatile String reason = "";

  /** Whether what is on it is the array's; until then it reads as zeros. */
  private volatile boolean joined;

  // What the medium was made ready for, and each is that is opened later.
  private volatile boolean encrypted;
  private volatile boolean discarding;

  // Under the lock of the array's members.
  UUID identity = ArrayLabel.NO_DRIVE;

  /** The place of the two for the next label: the other one may be the only one that is whole. */
  int nextLabel;

  // Under the lock.
  private int writeFailures;
  private @Nullable AlignedBuffer copy;

  // Of reads that failed; under the monitor.
  private int readFailures;
  private long windowBegan;
  private long endedBefore;

  ArrayDrive(DriveSource source, int number, int units, long hangNanos, Others others) {
    this.source = source;
    this.number = number;
    this.units = units;
    this.hangNanos = hangNanos;
    this.others = others;
    this.thread = new DriveThread(number);
  }

  /** Has it use what was opened. */
  void opened(Medium open) {
    medium = open;
  }

  /** See {@link Medium#prepareEncryption}. */
  void prepareEncryption() throws IOException {
    encrypted = true;
    Medium its = medium;
    if (its != null) {
      its.prepareEncryption();
    }
  }

  /** See {@link Medium#prepareDiscards}. */
  void prepareDiscards() throws IOException {
    discarding = true;
    Medium its = medium;
    if (its != null) {
      its.prepareDiscards();
    }
  }

  /** Takes it out: nothing is read or written any more. */
  void fail(String why) {
    reason = why.isBlank() ? "it can't be opened" : why;
    failed = true;
    returning = false;
  }

  /** Returns whether it is lost, or yet to serve again. */
  boolean hasFailed() {
    return returning || failed;
  }

  /** Returns whether what is inside, if anything, is what makes it ready. */
  boolean isReturning() {
    return returning;
  }

  String reason() {
    return reason;
  }

  boolean isJoined() {
    return joined;
  }

  void join() {
    joined = true;
  }

  /** What is on it is not the array's after all. */
  void leave() {
    joined = false;
  }

  @Nullable Medium medium() {
    return medium;
  }

  /**
   * Returns what may be read and written, to a call that is counted already. What a lost drive had
   * open is not closed while calls are inside; one that begins later sees here that the drive is
   * lost, or what was opened since.
   */
  private Medium serving() throws DriveException {
    boolean isLost = failed; // First: once it serves again, its medium is another one.
    Medium its = medium;
    if (isLost || its == null) {
      throw new DriveException(source.name() + " is lost: " + reason, null);
    }
    return its;
  }

  void read(long at, ByteBuffer dst, int length) throws IOException {
    int place = calls.begin();
    try {
      Medium its = serving();
      if (joined) {
        its.read(at, dst, length);
      } else {
        dst.duplicate().put(new byte[length]);
      }
    } catch (DriveException lost) {
      throw lost;
    } catch (IOException | RuntimeException | InternalError failure) {
      throwIfAlone(failure);
      throw failure;
    } finally {
      calls.end(place);
    }
  }

  void read(long at, ByteBuffer dst, int position, int length) throws IOException {
    int place = calls.begin();
    try {
      Medium its = serving();
      if (joined) {
        its.read(at, dst, position, length);
      } else {
        dst.duplicate().clear().position(position).put(new byte[length]);
      }
    } catch (DriveException lost) {
      throw lost;
    } catch (IOException | RuntimeException | InternalError failure) {
      throwIfAlone(failure);
      throw failure;
    } finally {
      calls.end(place);
    }
  }

  /** Reads what it can of some ranges; takes note of failures when one is read again alone. */
  void readAll(ReadBatch batch) throws IOException {
    int place = calls.begin();
    try {
      Medium its = serving();
      if (joined) {
        its.readAll(batch);
      }
    } finally {
      calls.end(place);
    }
  }

  /** Reads whether it has joined or not, and takes no note of failures. */
  void readRaw(long at, ByteBuffer dst, int position, int length) throws IOException {
    serving().read(at, dst, position, length);
  }

  /** Takes note of a read that failed, and throws what says that the failure is this drive's. */
  private void throwIfAlone(Throwable failure) throws DriveException {
    if (failure instanceof NoDirectMemoryException || !others.serve(this)) {
      return; // No fault of the drive's, or the medium's as a whole.
    }
    if (isPersistent()) {
      others.lose(this, "reads fail: " + failure);
    }
    throw new DriveException("a read failed on " + source.name() + ": " + failure, failure);
  }

  /** Returns whether reads have failed often, and more of them than succeeded in that time. */
  private synchronized boolean isPersistent() {
    long now = System.nanoTime();
    if (readFailures == 0 || now - windowBegan > WINDOW_NANOS) {
      readFailures = 0;
      windowBegan = now;
      endedBefore = calls.ended();
    }
    readFailures++;
    if (readFailures < MOST_READ_FAILURES) {
      return false;
    }
    boolean most = calls.ended() - endedBefore <= 2L * readFailures; // The failed ones included.
    readFailures = 0;
    return most;
  }

  /** Writes bytes, whatever becomes of the buffer that has them now. */
  void write(long at, ByteBuffer src, int position, int length) throws IOException {
    locked(
        () -> {
          AlignedBuffer bytes = copyOf(src, position, length);
          run(its -> its.write(at, bytes.whole(), 0, length));
        });
  }

  private AlignedBuffer copyOf(ByteBuffer src, int position, int length) throws IOException {
    AlignedBuffer bytes = copy;
    if (bytes == null || bytes.capacityBytes() < length) {
      if (bytes != null) {
        bytes.free();
      }
      copy = null;
      bytes = allocate(Math.max(LEAST_COPY_BYTES, length));
      copy = bytes;
    }
    bytes.copyIn(src, position, 0, length);
    return bytes;
  }

  private static AlignedBuffer allocate(int bytes) throws NoDirectMemoryException {
    try {
      return AlignedBuffer.allocate(bytes, ArrayLabel.BYTES);
    } catch (OutOfMemoryError refused) {
      throw new NoDirectMemoryException("no memory is left to write " + bytes + " bytes from");
    }
  }

  /** Makes what was written survive the loss of power. */
  void persist(long at, long length) throws IOException {
    locked(() -> run(its -> its.persist(at, length)));
  }

  void discard(long at, long length) throws IOException {
    locked(() -> run(its -> its.discard(at, length)));
  }

  /** Asks the drive whether it can be used; if not, it is lost. */
  void check() throws IOException {
    try {
      within(Medium::check);
    } catch (DriveException lost) {
      throw lost;
    } catch (IOException | RuntimeException | InternalError failure) {
      if (!others.lose(this, String.valueOf(failure.getMessage()))) {
        throw failure;
      }
    }
  }

  private void locked(UninterruptibleIo.Work work) throws IOException {
    while (!Waiting.lock(writing, hangNanos)) {
      serving(); // Who has the lock waits for the drive, until it is lost.
    }
    try {
      serving();
      work.run();
    } finally {
      writing.unlock();
    }
  }

  /** Something that is done with the medium. */
  private interface MediumWork {
    void run(Medium its) throws IOException;
  }

  /** Runs a piece of work under the lock, and counts it if it fails. */
  private void run(MediumWork work) throws IOException {
    try {
      within(work);
      writeFailures = 0;
    } catch (DriveException lost) {
      leaveCopy();
      throw lost;
    } catch (IOException | RuntimeException | InternalError failure) {
      if (failure instanceof NoDirectMemoryException || !others.serve(this)) {
        throw failure;
      }
      writeFailures++;
      if (writeFailures >= MOST_WRITE_FAILURES) {
        others.lose(this, "writes fail: " + failure);
      }
      throw new DriveException("a write failed on " + source.name() + ": " + failure, failure);
    }
  }

  /** The drive may read it yet. */
  private void leaveCopy() {
    if (copy != null) {
      copy.leaveToCollector();
      copy = null;
    }
  }

  /** Has the drive's thread do something, and loses the drive if that does not end in time. */
  private void within(MediumWork work) throws IOException {
    int place = calls.begin();
    try {
      Medium its = serving();
      boolean done =
          thread.run(
              () -> work.run(its),
              hangNanos,
              () ->
                  hasFailed()
                      || others.lose(
                          this,
                          "it has not answered for "
                              + TimeUnit.NANOSECONDS.toMillis(hangNanos)
                              + " ms"));
      if (!done) {
        throw new DriveException(source.name() + " is lost: " + reason, null);
      }
    } finally {
      calls.end(place);
    }
  }

  /** Returns how many calls are inside. */
  int callsInside() {
    return calls.inside() + (thread.isIdle() ? 0 : 1);
  }

  /**
   * Closes what is left of a lost drive, and opens it again; it is {@linkplain #isReturning yet to}
   * {@linkplain #serveAgain serve}. No call may be inside.
   */
  void reopen() throws IOException {
    reason = "it is opened again, which takes as long as filling its file if that is new";
    Medium old = medium;
    if (old != null) {
      medium = null;
      old.close();
    }
    joined = false;
    Medium opened = source.open();
    medium = opened; // Closed with the others also if it can't be made ready.
    if (discarding) {
      opened.prepareDiscards();
    }
    if (encrypted) {
      opened.prepareEncryption();
    }
    writeFailures = 0;
    returning = true; // First: to all others it stays lost.
    failed = false;
  }

  /** What is on it is the array's by now. */
  void serveAgain() {
    joined = true;
    returning = false;
  }

  /** Does something to the medium that was opened, lost or not, if it can be in time. */
  void atEnd(Consumer<Medium> last) {
    Medium its = medium;
    if (its == null) {
      return;
    }
    boolean isLeft = hasFailed() && !thread.isIdle();
    if (isLeft) {
      LOG.warn("{} does not answer; it is left open", source.name());
      return;
    }
    last.accept(its);
  }

  /** Frees the memory; nothing is written any more. */
  void close() {
    thread.close();
    if (thread.isIdle() && copy != null) {
      copy.free();
      copy = null;
    }
  }
}
