// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

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
 * <p>A page's records form a ring of nodes in their order, of which the table knows the newest and
 * the newest the oldest. A record that covers the newest one's part of the page takes its node, and
 * one that covers the page takes all. All is allotted at the beginning, 28 bytes for a node. What
 * the drain asks for takes time by the length of its batch, and not of the log.
 *
 * <p>Thread-safe. Invariants: the records that nodes name are whole and in the log until {@link
 * #trim} has removed their nodes. {@link #version} changes with each removal, and with nothing
 * else. Nodes in use plus reserved ones plus {@code room} are all nodes.
 */
final class PendingPages {
  static final int PAGE_BYTES = 4096;

  private static final int PAGE_BITS = 12;
  private static final int LANE_BITS = 5;
  private static final int SLOT_SHIFT = 47;

  /** Files have fewer bytes, so that a page's number fits next to its file's slot. */
  private static final long MAX_BYTES = 1L << (SLOT_SHIFT + PAGE_BITS);

  private final LogRegion[] lanes;
  private final StampedLock lock = new StampedLock();
  private final AtomicInteger room;

  /** Of each node: the slot and the page, the record, and the next newer node. */
  private final long[] keys;

  private final long[] records;
  private final int[] next;

  /** The newest node of a page, plus 1; by open addressing, without a gap before its place. */
  private final int[] table;

  /** The first node of those in no use, plus 1; they are chained. */
  private int free;

  private volatile long version;

  /**
   * Makes room for so many pages that the log is full before, unless its records are shorter than
   * half a page.
   *
   * @param most a bound of that
   */
  static PendingPages of(LogMemory memory, LogLayout layout, int most) {
    long ofLog = (long) layout.lanes() * layout.laneBytes() / (PAGE_BYTES / 2);
    int ofRecord = pages(1, layout.maxPayloadBytes()) + 1;
    return new PendingPages(memory, layout, (int) Math.max(ofRecord, Math.min(most, ofLog)));
  }

  private PendingPages(LogMemory memory, LogLayout layout, int atLeast) {
    this.lanes = new LogRegion[layout.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = memory.lane(i);
    }
    int nodes = Integer.highestOneBit(Math.max(2, atLeast) - 1) * 2;
    this.room = new AtomicInteger(nodes);
    this.keys = new long[nodes];
    this.records = new long[nodes];
    this.next = new int[nodes];
    this.table = new int[2 * nodes];
    for (int node = nodes - 1; node >= 0; node--) {
      next[node] = free;
      free = node + 1;
    }
  }

  /** Returns how many pages a range touches. */
  static int pages(long offset, int length) {
    return length == 0
        ? 0
        : (int) (((offset + length - 1) >> PAGE_BITS) - (offset >> PAGE_BITS)) + 1;
  }

  /** Returns whether pages of such a file have a number here. */
  static boolean canHold(long offset, int length) {
    return offset <= MAX_BYTES - length;
  }

  static int slotOf(long key) {
    return (int) (key >>> SLOT_SHIFT);
  }

  private static long key(int slot, long page) {
    return (long) slot << SLOT_SHIFT | page;
  }

  private static long begin(long key) {
    return (key & (1L << SLOT_SHIFT) - 1) << PAGE_BITS;
  }

  /** Takes room for a record of so many pages; {@link #add} or {@link #giveBack} must follow. */
  boolean tryReserve(int pages) {
    int before = room.get();
    while (before >= pages) {
      if (room.compareAndSet(before, before - pages)) {
        return true;
      }
      before = room.get();
    }
    return false;
  }

  void giveBack(int pages) {
    room.addAndGet(pages);
  }

  /** Returns how many nodes there are. */
  int capacity() {
    return keys.length;
  }

  /** Returns how many nodes are in use or reserved. */
  int used() {
    return keys.length - room.get();
  }

  /** Returns what all nodes and the table take, in bytes. */
  long bytes() {
    return keys.length * (2L * Long.BYTES + Integer.BYTES) + (long) table.length * Integer.BYTES;
  }

  /** Returns a number that changes when pages are removed. */
  long version() {
    return version;
  }

  /**
   * Makes a record visible, all of it at once. Room for its pages is reserved. What the record says
   * is not read again: some processors took its lines out of the cache as they were written back.
   */
  void add(int slot, int lane, long lsn, long offset, int length) {
    long record = lsn << LANE_BITS | lane;
    long end = offset + length;
    int reserved = pages(offset, length);
    long stamp = lock.writeLock();
    try {
      int taken = 0;
      for (int i = 0; i < reserved; i++) {
        taken += add(key(slot, (offset >> PAGE_BITS) + i), record, offset, end);
      }
      room.addAndGet(reserved - taken);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Returns how many more nodes are in use. */
  private int add(long key, long record, long offset, long end) {
    int at = find(key);
    if (table[at] == 0) {
      int node = take(key, record);
      next[node] = node;
      table[at] = node + 1;
      return 1;
    }
    int newest = table[at] - 1;
    long begin = begin(key);
    if (offset <= begin && end >= begin + PAGE_BYTES) {
      int freed = 0;
      while (next[newest] != newest) {
        freed += dropOldest(newest);
      }
      records[newest] = record;
      return -freed;
    }
    if (offset <= Math.max(begin, offset(records[newest]))
        && end >= Math.min(begin + PAGE_BYTES, end(records[newest]))) {
      records[newest] = record;
      return 0;
    }
    int node = take(key, record);
    next[node] = next[newest];
    next[newest] = node;
    table[at] = node + 1;
    return 1;
  }

  private int take(long key, long record) {
    int node = free - 1;
    free = next[node];
    keys[node] = key;
    records[node] = record;
    return node;
  }

  private int dropOldest(int newest) {
    int oldest = next[newest];
    next[newest] = next[oldest];
    next[oldest] = free;
    free = oldest + 1;
    return 1;
  }

  /** Returns where a page is in the table, or would be. */
  private int find(long key) {
    int mask = table.length - 1;
    int at = place(key);
    while (table[at] != 0 && keys[table[at] - 1] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  /** Returns where a page would be in an empty table. */
  private int place(long key) {
    return (int) ((key * 0x9e3779b97f4a7c15L) >>> 32) & table.length - 1;
  }

  /** Takes a page out, and closes the gap for those that it had moved on. */
  private void remove(int at) {
    int mask = table.length - 1;
    int gap = at;
    for (int i = at + 1 & mask; table[i] != 0; i = i + 1 & mask) {
      int moved = i - place(keys[table[i] - 1]) & mask;
      if (moved >= (i - gap & mask)) {
        table[gap] = table[i];
        gap = i;
      }
    }
    table[gap] = 0;
  }

  private LogRegion region(long record) {
    return lanes[(int) record & (1 << LANE_BITS) - 1];
  }

  private int position(long record) {
    return (int) ((record >>> LANE_BITS) % region(record).bytes());
  }

  private long offset(long record) {
    return LogRecord.offset(region(record), position(record));
  }

  private int length(long record) {
    return LogRecord.length(region(record), position(record));
  }

  private long end(long record) {
    return offset(record) + length(record);
  }

  private boolean isBefore(long record, long[] ends) {
    return record >>> LANE_BITS < ends[(int) record & (1 << LANE_BITS) - 1];
  }

  /**
   * Puts the bytes of records over what was read of a file.
   *
   * @param since the version before the file was read
   * @param to where the bytes of {@code position} are in the buffer
   * @return whether no page was removed since; the caller reads the file again otherwise
   */
  boolean overlay(long since, int slot, ByteBuffer target, int to, long position, int length) {
    long stamp = lock.readLock();
    try {
      if (version != since) {
        return false;
      }
      int pages = pages(position, length);
      for (int i = 0; i < pages; i++) {
        int newest = table[find(key(slot, (position >> PAGE_BITS) + i))] - 1;
        if (newest >= 0) {
          long begin = Math.max(position, begin(keys[newest]));
          long end = Math.min(position + length, begin(keys[newest]) + PAGE_BYTES);
          int node = newest;
          do {
            node = next[node];
            copy(records[node], begin, end, target, to + (int) (begin - position));
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

  /** Returns all pages, by file and place. */
  long[] all() {
    long stamp = lock.readLock();
    try {
      Keys found = new Keys();
      for (int entry : table) {
        if (entry != 0) {
          found.add(keys[entry - 1]);
        }
      }
      return found.sorted();
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /**
   * Returns the pages of records between tails and ends of the lanes, by file and place, except for
   * those that later records cover. No page has a record before the tails.
   */
  long[] between(long[] tails, long[] ends) {
    long stamp = lock.readLock();
    try {
      Keys found = new Keys();
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
      return found.sorted();
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private void add(Keys found, LogRegion lane, int at, long[] ends) {
    int slot = FileTable.slotOf(LogRecord.fileId(lane, at));
    long offset = LogRecord.offset(lane, at);
    int pages = pages(offset, LogRecord.length(lane, at));
    for (int i = 0; i < pages; i++) {
      long key = key(slot, (offset >> PAGE_BITS) + i);
      int entry = table[find(key)];
      if (entry != 0 && isBefore(records[next[entry - 1]], ends)) {
        found.add(key);
      }
    }
  }

  /** Collects pages. */
  private static final class Keys {
    private long[] keys = new long[64];
    private int count;

    void add(long key) {
      if (count == keys.length) {
        keys = Arrays.copyOf(keys, 2 * count);
      }
      keys[count++] = key;
    }

    /** Returns each once. */
    long[] sorted() {
      Arrays.sort(keys, 0, count);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
          keys[kept++] = keys[i];
        }
      }
      return Arrays.copyOf(keys, kept);
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
      int newest = table[find(key)] - 1;
      int node = newest;
      while (node >= 0) {
        node = next[node];
        if (!isBefore(records[node], ends)) {
          break;
        }
        parts.add(part(records[node], begin(key)));
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
    long until = Math.min(begin + PAGE_BYTES, offset + LogRecord.length(lane, at));
    int payloadAt = at + LogRecord.HEADER_BYTES + (int) (from - offset);
    return new Part(lane, payloadAt, from, (int) (until - from));
  }

  /**
   * Removes records before these ends of the lanes; their files hold them now.
   *
   * @param pages all that have any
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  void trim(long[] pages, long[] ends) {
    long stamp = lock.writeLock();
    try {
      int freed = 0;
      for (long page : pages) {
        int at = find(page);
        if (table[at] == 0) {
          continue;
        }
        int newest = table[at] - 1;
        while (next[newest] != newest && isBefore(records[next[newest]], ends)) {
          freed += dropOldest(newest);
        }
        if (isBefore(records[newest], ends)) {
          remove(at);
          next[newest] = free;
          free = newest + 1;
          freed++;
        }
      }
      version++;
      room.addAndGet(freed);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Returns ends of the lanes that all records are before. */
  static long[] all(LogLayout layout) {
    long[] ends = new long[layout.lanes()];
    Arrays.fill(ends, Long.MAX_VALUE);
    return ends;
  }

  /** Returns where a page begins in its file. */
  static long offsetOf(long key) {
    return begin(key);
  }
}
