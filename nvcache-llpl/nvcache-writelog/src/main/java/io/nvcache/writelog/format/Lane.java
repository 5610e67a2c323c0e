// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/**
 * One of the log's rings. A writer holds it from the allotment of a sequence number until the
 * change is applied to the file, so at most one number of a lane is in flight; that makes the
 * largest number up to which all is applied a minimum over the lanes.
 *
 * <p>Invariants: {@code tail <= head <= tail + capacity}. Whole records of this epoch lie from
 * {@code tail} to {@code head}, with ascending numbers and no hole. The holder alone moves {@code
 * head}, the drain alone moves {@code tail}, and only after the medium holds it.
 *
 * <p>The holder publishes by stores with release: a full fence would wait for the lines that are on
 * their way to the medium. Two orders count, and both hold: an announcement before the number that
 * it announces, which is allotted by an atomic increment; and a change before {@link #release}.
 */
public final class Lane {
  private static final int ABORT_BYTES = LogRecord.HEADER_BYTES;

  private final int index;
  private final LogRegion region;
  private final int epoch;
  private final long logId;
  private final CRC32C sum = new CRC32C();

  /** Not reentrant, so that a crash test may run one writer inside another. */
  private final Semaphore holder = new Semaphore(1);

  private final AtomicLong head;

  /** Where {@link #head} is in the region; of the holder, which is spared a division. */
  private int headAt;

  private volatile long tail;

  /** The number that is not applied yet, or a lower bound of it; 0 if there is none. */
  private final AtomicLong inFlight = new AtomicLong();

  private final AtomicLong records = new AtomicLong();
  private final AtomicLong payloadBytes = new AtomicLong();

  public Lane(int index, LogRegion region, int epoch, long logId, long tail) {
    this.index = index;
    this.region = region;
    this.epoch = epoch;
    this.logId = logId;
    this.head = new AtomicLong(tail);
    this.headAt = position(tail);
    this.tail = tail;
  }

  public int index() {
    return index;
  }

  public LogRegion region() {
    return region;
  }

  public boolean tryAcquire() {
    return holder.tryAcquire();
  }

  public void acquire() {
    holder.acquireUninterruptibly();
  }

  public void release() {
    inFlight.setRelease(0); // Publishes what was applied to the drain.
    holder.release();
  }

  /** Announces a number before it is allotted, then the number itself. */
  public void announce(long seq) {
    inFlight.setRelease(seq);
  }

  public long inFlight() {
    return inFlight.get();
  }

  public long head() {
    return head.get();
  }

  public long tail() {
    return tail;
  }

  public long records() {
    return records.get();
  }

  public long payloadBytes() {
    return payloadBytes.get();
  }

  private int position(long lsn) {
    return (int) (lsn % region.bytes());
  }

  /** Returns whether a record fits, and one that voids it; a hint to all but the holder. */
  public boolean fits(int payload) {
    long from = head.get();
    int at = headAt;
    int need = LogRecord.bytes(payload);
    int pad = at + need > region.bytes() ? region.bytes() - at : 0;
    return from - tail + pad + need + ABORT_BYTES <= region.bytes();
  }

  /**
   * Appends a record that {@linkplain #fits fits}. It is durable when this returns. One fence, and
   * another where the lap ends.
   *
   * @return the record's position
   * @throws IOException if it can't be made durable; the next record takes its place
   */
  public long append(
      int type,
      long seq,
      long fileId,
      long offset,
      ByteBuffer[] sources,
      int first,
      int length,
      long time)
      throws IOException {
    long lsn = head.get();
    int at = headAt;
    if (at + LogRecord.bytes(length) > region.bytes()) {
      lsn = pad(lsn, at, seq, time);
      at = 0;
    }
    int to = at + LogRecord.HEADER_BYTES;
    int left = length;
    for (int i = first; left > 0; i++) {
      ByteBuffer source = sources[i];
      int n = Math.min(source.remaining(), left);
      region.put(to, source, source.position(), n);
      to += n;
      left -= n;
    }
    // Of the copy, and not of what the caller has: another thread may be changing that. Before the
    // lines are written back, for some processors take them out of the cache then.
    int payloadSum = LogRecord.payloadSum(region, at, sum, length);
    LogRecord.putHeader(
        region, at, sum, lsn, type, length, seq, fileId, offset, epoch, time, logId, payloadSum);
    region.persist(at, LogRecord.HEADER_BYTES + length);
    moveHead(lsn + LogRecord.bytes(length), at + LogRecord.bytes(length));
    records.setRelease(records.get() + 1);
    payloadBytes.setRelease(payloadBytes.get() + length);
    return lsn;
  }

  /** Returns the position of the next lap. */
  private long pad(long lsn, int at, long seq, long time) throws IOException {
    int rest = region.bytes() - at;
    LogRecord.putHeader(
        region,
        at,
        sum,
        lsn,
        LogRecord.PAD,
        rest - LogRecord.HEADER_BYTES,
        seq,
        0,
        0,
        epoch,
        time,
        logId,
        0);
    region.persist(at, LogRecord.HEADER_BYTES);
    moveHead(lsn + rest, 0);
    return lsn + rest;
  }

  private void moveHead(long lsn, int at) {
    headAt = at == region.bytes() ? 0 : at;
    head.setRelease(lsn);
  }

  /** Returns the position behind the last record of a number up to this one. */
  public long tailAfter(long seq) {
    long lsn = tail;
    long end = head.get();
    while (lsn < end) {
      int at = position(lsn);
      // A pad carries the number of the record behind it.
      if (LogRecord.seq(region, at) > seq) {
        break;
      }
      lsn += LogRecord.bytes(LogRecord.length(region, at));
    }
    return lsn;
  }

  /** Lets the room up to a position be used again; the medium must hold that tail. */
  public void free(long newTail) {
    tail = newTail;
  }
}
