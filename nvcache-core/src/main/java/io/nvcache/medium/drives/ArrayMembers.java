// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.medium.DriveException;
import io.nvcache.medium.DriveSet;
import io.nvcache.medium.file.UninterruptibleIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drives of a {@link ArrayMedium} that serve, each of which knows the others.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A drive joins with no region that could be read back, with the superblocks that count, and
 *       under a new identity. Until then nothing of it is read.
 *   <li>A drive that is lost is out for all calls at once. It counts as {@linkplain #isLost lost}
 *       when the labels of all others, of a later epoch, say so, flushed. What is written to the
 *       superblocks of the others afterwards, it will never be asked about.
 *   <li>Superblocks are written to all drives that serve, or to none that counts: a drive on which
 *       that fails is lost, or the write fails as a whole and is done again.
 * </ul>
 *
 * <p>Drives none of which was there when a block was invalidated can't know of it. A start that has
 * nothing but such drives is like one on an older copy of the cache.
 */
final class ArrayMembers implements ArrayDrive.Others {
  private static final Logger LOG = LoggerFactory.getLogger(ArrayMembers.class);

  /** Rounds of labels, in each of which a drive may fail. */
  private static final int MOST_ROUNDS = 2 * ArrayLabel.MOST_DRIVES + 2;

  private final UUID array;
  private final int unitBytes;
  private final ReentrantLock lock = new ReentrantLock();

  /** Held while a drive is taken back, which may take as long as filling it. Above the other. */
  private final ReentrantLock returning = new ReentrantLock();

  /** Drives in the order of their numbers. Complete before any other thread sees this. */
  private final List<ArrayDrive> drives = new ArrayList<>();

  /** The drives whose superblocks may count, before the first write. */
  private final List<ArrayDrive> origins = new ArrayList<>();

  /** A bit, by its number, for each drive that is lost for certain. */
  private volatile long lost;

  /** Whether all drives have joined and were told of it. */
  private volatile boolean begun;

  /** Whether no drive is taken back any more. Under the lock of those that return. */
  private boolean ended;

  // Under the lock.
  private long epoch;
  private long confirmed;

  /**
   * Begins with no drive.
   *
   * @param newest what says which drives count; null if none does
   */
  ArrayMembers(@Nullable ArrayLabel newest, int unitBytes) {
    this.array = newest == null ? UUID.randomUUID() : newest.array();
    this.epoch = newest == null ? 0 : newest.epoch();
    this.confirmed = newest == null ? 0 : newest.confirmed();
    this.unitBytes = unitBytes;
  }

  /** Adds the drive of the next number, whose content counts. */
  void addCurrent(ArrayDrive drive, ArrayLabel label) {
    drive.identity = label.own().identity();
    drive.nextLabel = isAt(0, drive, label) ? 1 : 0;
    drive.join();
    drives.add(drive);
    origins.add(drive);
  }

  /** Returns whether a label lies whole at one of the places for it. */
  private static boolean isAt(int place, ArrayDrive drive, ArrayLabel label) {
    ByteBuffer bytes = ByteBuffer.allocate(ArrayLabel.BYTES);
    try {
      drive.readRaw((long) place * ArrayLabel.BYTES, bytes, 0, ArrayLabel.BYTES);
      return label.equals(ArrayLabel.decode(bytes, 0));
    } catch (IOException | RuntimeException unreadable) {
      return false;
    }
  }

  /** Adds the drive of the next number, whose content does not count. */
  void addOther(ArrayDrive drive) {
    drives.add(drive);
  }

  /** Takes out, for certain, the drives that could not be opened. Before the first call. */
  void settleMissing() {
    lost = lostNow();
  }

  List<ArrayDrive> drives() {
    return drives;
  }

  List<ArrayDrive> origins() {
    return origins;
  }

  /** Nothing on one of the {@link #origins} counts. */
  void distrust(int origin) {
    ArrayDrive drive = origins.remove(origin);
    LOG.warn("{} is behind the other drives, or damaged; it begins empty", drive.source.name());
    drive.leave();
  }

  boolean isLost(int number) {
    return (lost >>> number & 1) != 0;
  }

  private long lostNow() {
    long bits = 0;
    for (ArrayDrive drive : drives) {
      bits |= drive.hasFailed() ? 1L << drive.number : 0;
    }
    return bits;
  }

  @Override
  public boolean serve(ArrayDrive but) {
    for (ArrayDrive drive : drives) {
      if (drive != but && !drive.hasFailed()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public synchronized boolean lose(ArrayDrive drive, String reason) {
    if (!drive.hasFailed()) {
      if (!serve(drive)) {
        return false;
      }
      drive.fail(reason);
      LOG.warn("{} is lost, and the cache continues without it: {}", drive.source.name(), reason);
    }
    return true;
  }

  private List<ArrayDrive> serving() {
    return drives.stream().filter(drive -> !drive.hasFailed()).toList();
  }

  /** Does something that writes to the drives; one thread at a time. */
  private void locked(UninterruptibleIo.Work writing) throws IOException {
    lock.lock();
    try {
      begin();
      writing.run();
    } finally {
      lock.unlock();
    }
  }

  /** Has all drives join, before the first write of any kind. */
  void ensureBegun() throws IOException {
    if (!begun) {
      locked(() -> {});
    }
  }

  private void begin() throws IOException {
    if (begun) {
      return;
    }
    for (ArrayDrive drive : serving()) {
      if (!drive.isJoined()) {
        try {
          empty(drive);
        } catch (DriveException e) {
          lose(drive, "it can't be emptied: " + e.getMessage());
        }
      }
    }
    tell();
    serving().forEach(ArrayDrive::join);
    begun = true;
  }

  /** Has a drive hold the superblocks that count, and no region that could be read back. */
  private void empty(ArrayDrive drive) throws IOException {
    clear(drive);
    copySuperblocks(drive);
  }

  /**
   * Has a drive hold nothing that could be read back: first it loses its labels, so that it does
   * not count if this ends in the middle.
   */
  private void clear(ArrayDrive drive) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(ArrayDrive.LABELS_BYTES);
    drive.write(0, zeros, 0, ArrayDrive.LABELS_BYTES);
    drive.persist(0, ArrayDrive.LABELS_BYTES);
    ByteBuffer head = ByteBuffer.allocate(ArrayLabel.BYTES);
    for (int unit = 0; unit < drive.units; unit++) {
      long at = ArrayDrive.UNITS_AT + (long) unit * unitBytes;
      if (!isBlank(drive, at, head)) {
        drive.write(at, zeros, 0, ArrayLabel.BYTES);
      }
    }
    drive.persist(0, ArrayDrive.UNITS_AT + (long) drive.units * unitBytes);
  }

  /** Gives a drive the superblocks of one that counts, and a new identity. Under the lock. */
  private void copySuperblocks(ArrayDrive drive) throws IOException {
    ByteBuffer superblocks = ByteBuffer.allocate(ArrayDrive.SUPERBLOCKS_BYTES);
    for (ArrayDrive other : drives) {
      if (other.isJoined() && !other.hasFailed()) {
        readSuperblocks(other, superblocks);
        break;
      }
    }
    drive.write(ArrayDrive.LABELS_BYTES, superblocks, 0, ArrayDrive.SUPERBLOCKS_BYTES);
    drive.persist(ArrayDrive.LABELS_BYTES, ArrayDrive.SUPERBLOCKS_BYTES);
    drive.identity = UUID.randomUUID();
  }

  /** Returns whether no header of a region begins there. */
  private static boolean isBlank(ArrayDrive drive, long at, ByteBuffer head) {
    try {
      drive.readRaw(at, head, 0, ArrayLabel.BYTES);
      return head.getLong(0) == 0;
    } catch (IOException | RuntimeException unreadable) {
      return false; // The next cache may read it.
    }
  }

  /** What can't be read stays zeros: the next superblock is written to all drives. */
  private static void readSuperblocks(ArrayDrive from, ByteBuffer to) {
    try {
      from.readRaw(ArrayDrive.LABELS_BYTES, to, 0, ArrayDrive.SUPERBLOCKS_BYTES);
    } catch (IOException | RuntimeException e) {
      LOG.debug("can't read the superblocks of {}", from.source.name(), e);
    }
  }

  /**
   * Has all drives that serve know which they are, and then that all know. Those that are not among
   * them are lost.
   */
  private void tell() throws IOException {
    List<ArrayDrive> knowing = List.of();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      List<ArrayDrive> members = serving();
      epoch++;
      if (!tellAll(members)) {
        knowing = List.of();
      } else if (members.equals(knowing)) {
        lost = lostNow();
        return;
      } else {
        confirmed = epoch;
        knowing = members;
      }
    }
    throw new IOException("the drives fail one after the other while they are told of each other");
  }

  /** Returns whether all were told, and serve. */
  private boolean tellAll(List<ArrayDrive> members) throws IOException {
    boolean all = true;
    for (ArrayDrive drive : members) {
      try {
        tell(drive, members);
      } catch (DriveException e) {
        all = false; // It is lost by now, or told in the next round.
      }
    }
    return all && members.equals(serving());
  }

  private void tell(ArrayDrive drive, List<ArrayDrive> members) throws IOException {
    List<ArrayLabel.Member> listed = new ArrayList<>();
    for (ArrayDrive each : drives) {
      listed.add(
          members.contains(each)
              ? new ArrayLabel.Member(each.identity, each.units)
              : new ArrayLabel.Member(ArrayLabel.NO_DRIVE, each.units));
    }
    ByteBuffer label =
        new ArrayLabel(array, epoch, confirmed, drive.number, unitBytes, listed).encoded();
    for (int copy = 0; copy < 2; copy++) { // One after the other: one of them is always whole.
      long at = (long) drive.nextLabel * ArrayLabel.BYTES;
      drive.write(at, label, 0, ArrayLabel.BYTES);
      drive.persist(at, ArrayLabel.BYTES);
      drive.nextLabel = 1 - drive.nextLabel; // What can't be written is written again first.
    }
  }

  private void settleLocked() throws IOException {
    if (lostNow() != lost) {
      tell();
    }
  }

  /** See {@link DriveSet#settle}. Asks nothing of the drives while none is lost. */
  void settle() throws IOException {
    if (lostNow() != lost && begun) {
      locked(this::settleLocked);
    }
  }

  /** Does something with a drive. */
  interface DriveWork {
    void run(ArrayDrive drive) throws IOException;
  }

  /** Writes or flushes superblocks, on all drives that serve. */
  void onAll(DriveWork work) throws IOException {
    locked(
        () -> {
          DriveException failure = null;
          for (ArrayDrive drive : serving()) {
            try {
              work.run(drive);
            } catch (DriveException e) {
              failure = drive.hasFailed() ? failure : e;
            }
          }
          settleLocked();
          if (failure != null) {
            throw failure; // A drive that serves does not have it; who asked does all of it again.
          }
        });
  }

  /** See {@link DriveSet#takeBack}. */
  boolean takeBack(int number) {
    ArrayDrive drive = drives.get(number);
    returning.lock();
    try {
      if (ended || !begun || !isLost(number) || drive.callsInside() > 0) {
        return false;
      }
      returnOrFail(drive);
      settle(); // Others may have failed since.
    } catch (IOException | RuntimeException e) {
      LOG.debug("the labels do not say yet which drives are lost", e); // The next round tells them.
    } finally {
      returning.unlock();
    }
    if (!drive.hasFailed()) {
      LOG.info("{} is back, empty", drive.source.name());
    }
    return !drive.hasFailed();
  }

  /** Has a drive serve again; one that can't stays lost. */
  private void returnOrFail(ArrayDrive drive) {
    String trouble = "an error ended its being taken back"; // Which is thrown.
    try {
      drive.reopen();
      clear(drive);
      join(drive);
      trouble = "";
    } catch (IOException | RuntimeException e) {
      trouble = "it can't be taken back: " + e.getMessage();
    } finally {
      if (!trouble.isEmpty()) {
        drive.fail(trouble);
      }
    }
  }

  /** Has a drive that was cleared be one of those that serve. */
  private void join(ArrayDrive drive) throws IOException {
    lock.lock();
    try {
      copySuperblocks(drive);
      drive.serveAgain();
      tell();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The last that is written: a copy that was made before does not count any more. Waits for a
   * drive that is taken back; none is afterwards.
   */
  void end() {
    returning.lock();
    try {
      ended = true;
    } finally {
      returning.unlock();
    }
    if (begun) {
      lock.lock();
      try {
        tell();
      } catch (IOException | RuntimeException e) {
        LOG.debug("the drives can't be told of their end", e); // They count as they are.
      } finally {
        lock.unlock();
      }
    }
  }
}
