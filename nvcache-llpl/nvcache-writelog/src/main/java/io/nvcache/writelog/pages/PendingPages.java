// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.pages;

import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogRecord;
import io.nvcache.writelog.format.LogRegion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.StampedLock;

/**
 * Says for each page of a file which records of the log hold bytes that the file lacks. It keeps no
 * bytes itself: a reader, and the drain, copy them from the log.
 *
 * <p>The life of a page here:
 *
 * <ol>
 *   <li>a writer {@linkplain #tryReserve reserves} nodes for the pages that its record touches,
 *       before it appends the record;
 *   <li>{@link #add} makes the record visible, all of it at once: each page gets a node. A record
 *       that covers the newest one's part of the page takes that node, and one that covers the page
 *       takes all;
 *   <li>readers {@linkplain #overlay put} the records over what they read of the file;
 *   <li>the drain asks for {@linkplain #between the pages} of its batch and for {@linkplain #parts
 *       their bytes}, and has them in the file, durably;
 *   <li>{@link #trim} frees the nodes of the batch. A page that a later record touched keeps that
 *       one's node. Only then may the log's room be used again.
 * </ol>
 *
 * <p>Thread-safe: one lock, which writers and trims hold alone, and readers together; only the room
 * is counted without it. Invariants: the records that nodes name are whole and in the log. {@link
 * #version} changes with each trim, and with nothing else. Nodes in use plus reserved ones plus
 * {@code room} are all nodes. What the drain asks for takes time by the length of its batch, and
 * not of the log.
 */
public final class PendingPages {
  /** Of a record's number: the lane, below the position in it. */
  private static final int LANE_BITS = 5;

  private static final int LANE_MASK = (1 << LANE_BITS) - 1;

  private final LogRegion[] lanes;
  private final StampedLock lock = new StampedLock();
  private final AtomicInteger room;

  /** Guarded by the lock. */
  private final PageRings rings;

  /** Written under the lock. */
  private volatile long version;

  /**
   * Makes room for so many pages that the log is full before, unless its records are shorter than
   * half a page.
   *
   * @param most a bound of that
   */
  public static PendingPages of(LogMemory memory, LogLayout layout, int most) {
    long ofLog = (long) layout.lanes() * layout.laneBytes() / (PageKeys.PAGE_BYTES / 2);
    int ofRecord = PageKeys.pages(1, layout.maxPayloadBytes()) + 1;
    return new PendingPages(memory, layout, (int) Math.max(ofRecord, Math.min(most, ofLog)));
  }

  private PendingPages(LogMemory memory, LogLayout layout, int atLeast) {
    this.lanes = new LogRegion[layout.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = memory.lane(i);
    }
    this.rings = new PageRings(atLeast);
    this.room = new AtomicInteger(rings.capacity());
  }

  // ---- room

  /** Takes room for a record of so many pages; {@link #add} or {@link #giveBack} must follow. */
  public boolean tryReserve(int pages) {
    int before = room.get();
    while (before >= pages) {
      if (room.compareAndSet(before, before - pages)) {
        return true;
      }
      before = room.get();
    }
    return false;
  }

  public void giveBack(int pages) {
    room.addAndGet(pages);
  }

  /** Returns how many nodes there are. */
  public int capacity() {
    return rings.capacity();
  }

  /** Returns how many nodes are in use or reserved. */
  public int used() {
    return rings.capacity() - room.get();
  }

  /** Returns the bytes of memory that all of this takes. */
  public long bytes() {
    return rings.bytes();
  }

  /** Returns a number that changes when pages are removed. */
  public long version() {
    return version;
  }

  // ---- records, as numbers

  private LogRegion region(long record) {
    return lanes[(int) record & LANE_MASK];
  }

  private int position(long record) {
    return (int) ((record >>> LANE_BITS) % region(record).bytes());
  }

  private long offset(long record) {
    return LogRecord.offset(region(record), position(record));
  }

  private long end(long record) {
    return offset(record) + LogRecord.length(region(record), position(record));
  }

  private static boolean isBefore(long record, long[] ends) {
    return record >>> LANE_BITS < ends[(int) record & LANE_MASK];
  }

  // ---- of writers

  /**
   * Makes a record visible, all of it at once. Room for its pages is reserved. What the record says
   * is not read again: some processors took its lines out of the cache as they were written back.
   */
  public void add(int slot, int lane, long lsn, long offset, int length) {
    long record = lsn << LANE_BITS | lane;
    long end = offset + length;
    int reserved = PageKeys.pages(offset, length);
    long stamp = lock.writeLock();
    try {
      int taken = 0;
      for (int i = 0; i < reserved; i++) {
        taken += add(PageKeys.key(slot, PageKeys.pageOf(offset) + i), record, offset, end);
      }
      room.addAndGet(reserved - taken);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Returns how many more nodes are in use. */
  private int add(long key, long record, long offset, long end) {
    int newest = rings.newest(key);
    if (newest != PageRings.NONE) {
      long begin = PageKeys.offsetOf(key);
      if (offset <= begin && end >= begin + PageKeys.PAGE_BYTES) {
        int freed = 0;
        while (rings.after(newest) != newest) {
          rings.dropOldest(newest);
          freed++;
        }
        rings.replace(newest, record);
        return -freed;
      }
      long covered = rings.record(newest);
      if (offset <= Math.max(begin, offset(covered))
          && end >= Math.min(begin + PageKeys.PAGE_BYTES, end(covered))) {
        rings.replace(newest, record);
        return 0;
      }
    }
    rings.push(key, record);
    return 1;
  }

  // ---- of readers

  /**
   * Puts the bytes of records over what was read of a file.
   *
   * @param since the version before the file was read
   * @param to where the bytes of {@code position} are in the buffer
   * @return whether no page was removed since; the caller reads the file again otherwise
   */
  public boolean overlay(
      long since, int slot, ByteBuffer target, int to, long position, int length) {
    long stamp = lock.readLock();
    try {
      if (version != since) {
        return false;
      }
      int pages = PageKeys.pages(position, length);
      for (int i = 0; i < pages; i++) {
        long key = PageKeys.key(slot, PageKeys.pageOf(position) + i);
        int newest = rings.newest(key);
        if (newest != PageRings.NONE) {
          long page = PageKeys.offsetOf(key);
          long begin = Math.max(position, page);
          long end = Math.min(position + length, page + PageKeys.PAGE_BYTES);
          int node = newest;
          do {
            node = rings.after(node);
            copy(rings.record(node), begin, end, target, to + (int) (begin - position));
          } while (node != newest);
        }
      }
      return true;
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /** Copies a record's part of a range; {@code to} is where the range begins in the buffer. */
  private void copy(long record, long begin, long end, ByteBuffer target, int to) {
    LogRegion region = region(record);
    int at = position(record);
    long offset = LogRecord.offset(region, at);
    long from = Math.max(begin, offset);
    long until = Math.min(end, offset + LogRecord.length(region, at));
    if (from < until) {
      region.get(
          at + LogRecord.HEADER_BYTES + (int) (from - offset),
          target,
          to + (int) (from - begin),
          (int) (until - from));
    }
  }

  // ---- of the drain

  /** Returns ends of the lanes that all records are before. */
  public static long[] all(LogLayout layout) {
    long[] ends = new long[layout.lanes()];
    Arrays.fill(ends, Long.MAX_VALUE);
    return ends;
  }

  /** Returns all pages, by file and place. */
  public long[] all() {
    PageKeys found = new PageKeys();
    long stamp = lock.readLock();
    try {
      rings.addPages(found);
    } finally {
      lock.unlockRead(stamp);
    }
    return found.sorted();
  }

  /**
   * Returns the pages of records between tails and ends of the lanes, by file and place, except for
   * those that later records cover. No page has a record before the tails.
   */
  public long[] between(long[] tails, long[] ends) {
    PageKeys found = new PageKeys();
    long stamp = lock.readLock();
    try {
      for (int i = 0; i < lanes.length; i++) {
        LogRegion lane = lanes[i];
        for (long lsn = tails[i]; lsn < ends[i]; ) {
          int at = (int) (lsn % lane.bytes());
          if (LogRecord.type(lane, at) == LogRecord.WRITE) {
            add(found, lane, at, ends);
          }
          lsn += LogRecord.bytes(LogRecord.length(lane, at));
        }
      }
    } finally {
      lock.unlockRead(stamp);
    }
    return found.sorted();
  }

  private void add(PageKeys found, LogRegion lane, int at, long[] ends) {
    int slot = FileTable.slotOf(LogRecord.fileId(lane, at));
    long offset = LogRecord.offset(lane, at);
    int pages = PageKeys.pages(offset, LogRecord.length(lane, at));
    for (int i = 0; i < pages; i++) {
      long key = PageKeys.key(slot, PageKeys.pageOf(offset) + i);
      int newest = rings.newest(key);
      if (newest != PageRings.NONE && isBefore(rings.record(rings.after(newest)), ends)) {
        found.add(key);
      }
    }
  }

  /**
   * Bytes of a page that lie together in the log.
   *
   * @param lane where
   * @param at from where on in the lane
   * @param offset in the file
   */
  record Part(LogRegion lane, int at, long offset, int length) {}

  /**
   * Returns what records before these ends of the lanes hold of a page, the oldest first. The bytes
   * stay in the log until its caller {@linkplain #trim lets them go}, so they may be read without
   * the lock that a writer would wait for.
   */
  List<Part> parts(long key, long[] ends) {
    List<Part> parts = new ArrayList<>(1);
    long stamp = lock.readLock();
    try {
      int newest = rings.newest(key);
      int node = newest;
      while (node != PageRings.NONE) {
        node = rings.after(node);
        if (!isBefore(rings.record(node), ends)) {
          break;
        }
        parts.add(part(rings.record(node), PageKeys.offsetOf(key)));
        if (node == newest) {
          break;
        }
      }
    } finally {
      lock.unlockRead(stamp);
    }
    return parts;
  }

  private Part part(long record, long begin) {
    LogRegion lane = region(record);
    int at = position(record);
    long offset = LogRecord.offset(lane, at);
    long from = Math.max(begin, offset);
    long until = Math.min(begin + PageKeys.PAGE_BYTES, offset + LogRecord.length(lane, at));
    int payloadAt = at + LogRecord.HEADER_BYTES + (int) (from - offset);
    return new Part(lane, payloadAt, from, (int) (until - from));
  }

  /**
   * Removes records before these ends of the lanes; their files hold them now.
   *
   * @param pages all that have any
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  public void trim(long[] pages, long[] ends) {
    long stamp = lock.writeLock();
    try {
      int freed = 0;
      for (long page : pages) {
        int newest = rings.newest(page);
        if (newest == PageRings.NONE) {
          continue;
        }
        while (rings.after(newest) != newest && isBefore(rings.record(rings.after(newest)), ends)) {
          rings.dropOldest(newest);
          freed++;
        }
        if (isBefore(rings.record(newest), ends)) {
          rings.dropOnly(page);
          freed++;
        }
      }
      version++;
      room.addAndGet(freed);
    } finally {
      lock.unlockWrite(stamp);
    }
  }
}
