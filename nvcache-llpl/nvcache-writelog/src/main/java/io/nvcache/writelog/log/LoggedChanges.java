// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.Lane;
import io.nvcache.writelog.format.LogRecord;
import io.nvcache.writelog.format.LogState;
import io.nvcache.writelog.pages.PageKeys;
import io.nvcache.writelog.pages.PendingPages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Writes and cuts a {@link LoggedFile}: appends a record, and makes the change visible once it is
 * durable. Keeps the file locked, except to wait for room.
 */
final class LoggedChanges {
  private final LogEngine engine;
  private final LoggedFile file;

  LoggedChanges(LogEngine engine, LoggedFile file) {
    this.engine = engine;
    this.file = file;
  }

  /** Where {@link #tryChange} put nothing. */
  private static final long NO_ROOM = -1;

  /** See {@link LoggedFile#write}. */
  long write(ByteBuffer[] sources, int first, int count, long position) throws IOException {
    long left = 0;
    for (int i = first; i < first + count; i++) {
      left += sources[i].remaining();
    }
    long begin = NO_ROOM;
    long at = position;
    int next = first;
    long deadline = 0;
    while (true) {
      int length;
      file.lock();
      try {
        do {
          length = (int) Math.min(left, engine.layout().maxPayloadBytes());
          long put = tryChange(LogRecord.WRITE, sources, next, length, at);
          if (put == NO_ROOM) {
            break;
          }
          begin = begin == NO_ROOM ? put : begin;
          at = put + length;
          left -= length;
          deadline = 0;
          while (next < first + count && !sources[next].hasRemaining()) {
            next++;
          }
        } while (left > 0);
      } finally {
        file.unlock();
      }
      if (left == 0 && begin != NO_ROOM) {
        return begin;
      }
      if (position < 0) {
        at = position; // Others may append before there is room.
      }
      deadline = awaitRoom(length, deadline);
    }
  }

  /** See {@link LoggedFile#truncate}. */
  void truncate(long bytes) throws IOException {
    long deadline = 0;
    while (true) {
      file.lock();
      try {
        if (tryChange(LogRecord.TRUNCATE, null, 0, 0, bytes) != NO_ROOM) {
          return;
        }
      } finally {
        file.unlock();
      }
      deadline = awaitRoom(0, deadline);
    }
  }

  /** See {@link LoggedFile#lengthen}. */
  void lengthen(long bytes) throws IOException {
    ByteBuffer[] zero = {ByteBuffer.allocate(1)};
    long deadline = 0;
    while (true) {
      file.lock();
      try {
        // Asked for only now: another writer may have put its own byte there.
        if (file.size() >= bytes || tryChange(LogRecord.WRITE, zero, 0, 1, bytes - 1) != NO_ROOM) {
          return;
        }
      } finally {
        file.unlock();
      }
      deadline = awaitRoom(1, deadline);
    }
  }

  /**
   * Waits without the lock, because the drain may need it, and returns until when; 0 for the first.
   */
  private long awaitRoom(int length, long deadline) throws IOException {
    long until =
        deadline == 0 ? System.nanoTime() + engine.settings().spaceTimeoutNanos() : deadline;
    engine.room().awaitSpace(length, until);
    return until;
  }

  /** Returns the offset that it was made at, if the log had room. The caller holds the file. */
  private long tryChange(
      int type, ByteBuffer @Nullable [] sources, int first, int length, long offset)
      throws IOException {
    file.requireHealthy();
    if (file.isClosed()) { // Its channel was, while this writer waited for room.
      throw new ClosedChannelException();
    }
    long at = offset < 0 ? file.size() : offset;
    if (at > Long.MAX_VALUE - length) { // No file ends there, and a scan would end at the record.
      throw new IOException(
          "can't write " + length + " bytes at " + at + " of " + file.path() + ": it is too far");
    }
    if (file.hasLeft()) {
      FileChange.apply(file.file(), type, sources, first, length, at);
      return at;
    }
    PendingPages pages = type == LogRecord.WRITE && file.isDeferred() ? engine.pages() : null;
    if (pages == null) {
      settleDeferred();
    } else if (!PageKeys.canHold(at, length)) {
      throw new IOException(
          "can't defer a write at " + at + " of " + file.path() + ": it is too far");
    }
    return (file.id() != 0 || enter()) && log(pages, type, sources, first, length, at)
        ? at
        : NO_ROOM;
  }

  /**
   * Has the log know the file before its first record. A recovery makes no file, so the name is
   * made durable before: what is missing after a crash was deleted, then.
   */
  private boolean enter() throws IOException {
    file.syncs().syncName();
    engine.nameLook().entering(file);
    return engine.openFiles().enter(file);
  }

  /** A cut or a mapping finds no deferred bytes. */
  private void settleDeferred() throws IOException {
    if (file.isDirty()) {
      file.settle();
    }
  }

  /** Returns whether the log had room. */
  private boolean log(
      @Nullable PendingPages pages,
      int type,
      ByteBuffer @Nullable [] sources,
      int first,
      int length,
      long at)
      throws IOException {
    int touched = pages == null ? 0 : PageKeys.pages(at, length);
    if (pages != null && !pages.tryReserve(touched)) {
      return false;
    }
    Lane lane = null;
    boolean added = false;
    try {
      lane = engine.room().acquireLane(length);
      if (lane == null) {
        return false;
      }
      long before = engine.pages() == null ? 0 : file.size();
      long end = endAfter(type, before, at, length);
      long seq = engine.nextSeq(lane);
      long time = engine.clockMillis();
      long lsn =
          lane.append(
              type, seq, file.id(), at, sources == null ? NONE : sources, first, length, time);
      // A reader may meet a deferred write's bytes and then its length, but not the other way.
      file.lengthened(pages == null ? end : before);
      // Before the lane is released, which publishes it: the drain must sync this file.
      file.appended(seq);
      // Only now: what is visible is durable.
      if (pages == null) {
        apply(lane, type, sources, first, length, at, time);
      } else {
        added = true;
        // After lastSeq, for else a drain could hide from readers again what they saw.
        pages.add(FileTable.slotOf(file.id()), lane.index(), lsn, at, length);
        file.lengthened(end);
        FileChange.consume(sources, first, length);
      }
    } finally {
      if (lane != null) {
        lane.release();
      }
      if (pages != null && !added) {
        pages.giveBack(touched);
      }
    }
    engine.room().appended(lane);
    return true;
  }

  private static long endAfter(int type, long before, long at, int count) {
    return type == LogRecord.TRUNCATE ? Math.min(before, at) : Math.max(before, at + count);
  }

  private void apply(
      Lane lane,
      int type,
      ByteBuffer @Nullable [] sources,
      int first,
      int count,
      long at,
      long time)
      throws IOException {
    if (LogState.isBeatDue(time, engine.clockMillis())) {
      engine.heartbeat(); // The record took long; or else a recovery takes the file for too new.
    }
    try {
      FileChange.apply(file.file(), type, sources, first, count, at);
    } catch (IOException | RuntimeException | VirtualMachineError e) { // Also of direct memory.
      lane.append(LogRecord.ABORT, file.lastSeq(), file.id(), file.lastSeq(), NONE, 0, 0, time);
      engine.figures().aborts.increment();
      file.lengthened(file.file().size());
      throw e;
    }
  }

  private static final ByteBuffer[] NONE = {};
}
