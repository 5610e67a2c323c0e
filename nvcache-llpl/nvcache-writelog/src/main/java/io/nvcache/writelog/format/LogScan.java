// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import io.nvcache.writelog.disk.DiskFile;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the records of all lanes in the order of their numbers. It ends in each lane at the
 * first record that is not whole, which is where a crash met it.
 */
public final class LogScan {
  /** A record in its lane. */
  public static final class Cursor {
    private final int lane;
    private final LogRegion region;
    private final long end;
    private long lsn;
    private int at;

    private Cursor(int lane, LogRegion region, long lsn, long end) {
      this.lane = lane;
      this.region = region;
      this.lsn = lsn;
      this.end = end;
    }

    public int lane() {
      return lane;
    }

    public long lsn() {
      return lsn;
    }

    public int type() {
      return LogRecord.type(region, at);
    }

    long seq() {
      return LogRecord.seq(region, at);
    }

    public long fileId() {
      return LogRecord.fileId(region, at);
    }

    public long offset() {
      return LogRecord.offset(region, at);
    }

    public int length() {
      return LogRecord.length(region, at);
    }

    public long time() {
      return LogRecord.time(region, at);
    }

    public java.nio.ByteBuffer payload() {
      return region.view(at + LogRecord.HEADER_BYTES, length());
    }

    /** Makes the record's change. */
    public void apply(DiskFile file) throws IOException {
      if (type() == LogRecord.WRITE) {
        file.write(payload(), offset());
      } else if (type() == LogRecord.TRUNCATE) {
        file.truncate(offset());
      }
    }
  }

  /** Of bytes and of records: at a billion a second, enough for a century. */
  private static final long MAX_POSITION = 1L << 62;

  private final @Nullable Cursor[] lanes;
  private final int epoch;
  private final long logId;
  private final long drainedSeq;

  /** Of a log that an engine may append to; null for the drain's own scan. */
  private final @Nullable LogState state;

  private final Set<Long> voided;
  private @Nullable Cursor last;
  private long bytes;
  private long damaged;

  /** Of each lane: records that lack their payload since the last that has it. */
  private final long[] lacking;

  private LogScan(
      @Nullable Cursor[] lanes,
      int epoch,
      long logId,
      long drainedSeq,
      @Nullable LogState state,
      Set<Long> voided) {
    this.lanes = lanes;
    this.epoch = epoch;
    this.logId = logId;
    this.drainedSeq = drainedSeq;
    this.state = state;
    this.voided = voided;
    this.lacking = new long[lanes.length];
    for (int i = 0; i < lanes.length; i++) {
      settle(i);
    }
  }

  /** Reads the same log again, from its beginning. */
  public LogScan again(LogMemory memory, LogLayout layout) throws IOException {
    return new LogScan(
        cursors(memory, layout), epoch, logId, drainedSeq, new LogState(memory), voided);
  }

  /** Reads a log that no engine appends to. */
  public static LogScan of(LogMemory memory, LogLayout layout) throws IOException {
    LogScan first = unsorted(memory, layout);
    first.findVoid();
    return first.again(memory, layout);
  }

  /** Reads a log without knowing what is void; the caller {@linkplain #noteVoid notes} it. */
  public static LogScan unsorted(LogMemory memory, LogLayout layout) throws IOException {
    LogState state = new LogState(memory);
    long drained = state.drainedSeq();
    requirePossible("drained number", drained, 1);
    return new LogScan(
        cursors(memory, layout), state.epoch(), layout.logId(), drained, state, new HashSet<>());
  }

  private static void requirePossible(String what, long value, int unit) throws IOException {
    if (value < 0 || value > MAX_POSITION || value % unit != 0) {
      throw new IOException(
          "the write log is damaged: its "
              + what
              + " is "
              + value
              + ", which no log reaches; save what it holds of the files' bytes, and wipe it");
    }
  }

  private static @Nullable Cursor[] cursors(LogMemory memory, LogLayout layout) throws IOException {
    @Nullable Cursor[] cursors = new @Nullable Cursor[layout.lanes()];
    for (int i = 0; i < cursors.length; i++) {
      long tail = new LogState(memory).tail(i);
      requirePossible("tail of lane " + i, tail, LogRecord.UNIT_BYTES);
      cursors[i] = new Cursor(i, memory.lane(i), tail, tail + layout.laneBytes());
    }
    return cursors;
  }

  /**
   * Reads what writers have appended to lanes until now, and what is not drained; for the thread
   * that drains.
   */
  public static LogScan of(Lane[] lanes, int epoch, long logId, long drainedSeq) {
    Set<Long> voided = new HashSet<>();
    // One end for both, so that no record is seen whose abort is not.
    long[] ends = new long[lanes.length];
    for (Lane lane : lanes) {
      ends[lane.index()] = lane.head();
    }
    new LogScan(cursors(lanes, ends), epoch, logId, drainedSeq, null, voided).findVoid();
    return new LogScan(cursors(lanes, ends), epoch, logId, drainedSeq, null, voided);
  }

  private static @Nullable Cursor[] cursors(Lane[] lanes, long[] ends) {
    @Nullable Cursor[] cursors = new @Nullable Cursor[ends.length];
    for (Lane lane : lanes) {
      cursors[lane.index()] =
          new Cursor(lane.index(), lane.region(), lane.tail(), ends[lane.index()]);
    }
    return cursors;
  }

  private void findVoid() {
    for (Cursor at = next(); at != null; at = next()) {
      noteVoid(at);
    }
  }

  /** Remembers what a record makes void. */
  public void noteVoid(Cursor at) {
    if (at.type() == LogRecord.ABORT) {
      voided.add(at.offset());
    }
  }

  /**
   * Returns how many records lack their payload though others follow them, so that they were
   * acknowledged.
   */
  public long damaged() {
    return damaged;
  }

  /** Returns the bytes of the log that were read. */
  public long bytes() {
    return bytes;
  }

  /**
   * Returns the next record that changes a file, except those whose callers got a failure; valid
   * until the next call, null at the end.
   */
  public @Nullable Cursor nextChange() {
    Cursor at = next();
    while (at != null && (at.type() == LogRecord.ABORT || voided.contains(at.seq()))) {
      at = next();
    }
    return at;
  }

  /** Returns the next record, valid until the next call; null at the end. */
  public @Nullable Cursor next() {
    Cursor before = last;
    if (before != null) {
      step(before);
      for (int i = 0; i < lanes.length; i++) {
        if (lanes[i] == before) {
          settle(i);
        }
      }
    }
    Cursor first = null;
    for (Cursor lane : lanes) {
      if (lane != null && (first == null || lane.seq() < first.seq())) {
        first = lane;
      }
    }
    last = first;
    return first;
  }

  private void step(Cursor cursor) {
    int length = LogRecord.bytes(cursor.length());
    bytes += length;
    cursor.lsn += length;
  }

  /** Moves a lane's cursor to its next record that counts, or takes the lane out. */
  private void settle(int lane) {
    Cursor cursor = lanes[lane];
    while (cursor != null) {
      cursor.at = (int) (cursor.lsn % cursor.region.bytes());
      if (cursor.lsn >= cursor.end
          || cursor.region.bytes() - cursor.at < LogRecord.HEADER_BYTES
          || !LogRecord.isWhole(cursor.region, cursor.at, cursor.lsn, epoch, logId)) {
        lanes[lane] = null;
        return;
      }
      if (cursor.type() != LogRecord.PAD && cursor.seq() > drainedSeq) {
        if (LogRecord.hasPayload(cursor.region, cursor.at)) {
          damaged += lacking[lane];
          lacking[lane] = 0;
          return;
        }
        if (!isDrainedByNow(cursor.seq())) {
          lacking[lane]++;
        }
      }
      step(cursor);
    }
  }

  /** Returns whether a writer may have begun to use the room of a record. */
  private boolean isDrainedByNow(long seq) {
    return state != null && seq <= state.drainedSeq();
  }
}
