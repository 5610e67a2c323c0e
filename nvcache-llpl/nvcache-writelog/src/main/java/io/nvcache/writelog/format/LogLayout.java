// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of a log. All numbers are little-endian.
 *
 * <pre>
 *      0  superblock     4,096   constant: see below
 *  4,096  its copy       4,096
 *  8,192  state          4,096   epoch, run | drained seq, heartbeat, boot | lane tails; each on
 *                                its own line; the boot is the run of the system that a log ends
 *                                with, the run is the one whose page cache has all that returned
 * 12,288  file table     1,024 each; see FileTable
 *      H  lane 0         a ring of records; see LogRecord
 *  H + L  lane 1 ...
 *
 * superblock:  0 magic u64 | 8 version u32 | 12 lanes u32 | 16 lane bytes u64 | 24 file slots u32
 *             28 crc32c of bytes 0 to 27 and 32 to 47, u32 | 32 log id u64 | 40 created, ms u64
 * </pre>
 *
 * @param lanes 1 to 32
 * @param laneBytes of each, whole pages, at most 1 GiB
 * @param fileSlots files that may have undrained writes, or be open for writing, at a time
 * @param logId distinguishes this log from what lay in the same place before
 * @param createdMillis since 1970
 */
public record LogLayout(int lanes, int laneBytes, int fileSlots, long logId, long createdMillis) {
  /** Of what this library writes; a log of another is refused. */
  static final int VERSION = 3;

  /** No more lanes fit on the state's page. */
  public static final int MAX_LANES = 32;

  /** A lane is one mapping, of which an {@code int} addresses each byte. */
  public static final int MAX_LANE_BYTES = 1 << 30;

  /** Holds some records of 4 KiB. */
  public static final int MIN_LANE_BYTES = 16 << 10;

  /** As many as the slot number in a file id can name. */
  public static final int MAX_FILE_SLOTS = 1 << 16;

  /** The length of one superblock. */
  public static final int SUPERBLOCK_BYTES = 4096;

  public static final int EPOCH = 2 * SUPERBLOCK_BYTES;
  public static final int RUN = EPOCH + Long.BYTES;
  public static final int DRAINED_SEQ = EPOCH + LogRecord.UNIT_BYTES;
  public static final int HEARTBEAT = DRAINED_SEQ + Long.BYTES;
  public static final int BOOT = HEARTBEAT + Long.BYTES;
  static final int LANE_TAILS = DRAINED_SEQ + LogRecord.UNIT_BYTES;
  public static final int TABLE = 3 * SUPERBLOCK_BYTES;

  private static final long MAGIC = 0x474f4c4554495257L; // "WRITELOG"
  private static final int PAGE_BYTES = 4096;
  private static final int CRC_AT = 28;
  private static final int LENGTH = 48;

  /** Refuses what no log can be. */
  public LogLayout {
    require("lanes", lanes, 1, MAX_LANES);
    require("laneBytes", laneBytes, MIN_LANE_BYTES, MAX_LANE_BYTES);
    if (laneBytes % PAGE_BYTES != 0) {
      throw new IllegalArgumentException(
          "laneBytes is " + laneBytes + "; it must be a multiple of " + PAGE_BYTES);
    }
    require("fileSlots", fileSlots, 1, MAX_FILE_SLOTS);
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be between " + least + " and " + most);
    }
  }

  /** Returns the length of what lies before the lanes, in whole pages. */
  public int headBytes() {
    return wholePages(TABLE + fileSlots * FileTable.SLOT_BYTES);
  }

  /** Returns where a lane begins in the file. */
  public long laneOffset(int index) {
    return headBytes() + (long) index * laneBytes;
  }

  /** Returns the length of the file. */
  public long fileBytes() {
    return laneOffset(lanes);
  }

  /** Returns the most bytes that one record holds; longer writes take several. */
  public int maxPayloadBytes() {
    return LogRecord.maxPayloadBytes(laneBytes);
  }

  public static int laneTail(int index) {
    return LANE_TAILS + index * LogRecord.UNIT_BYTES;
  }

  private static int wholePages(int bytes) {
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  }

  /** Returns both superblocks. */
  public ByteBuffer superblocks() {
    ByteBuffer page = ByteBuffer.allocate(2 * SUPERBLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < page.capacity(); at += SUPERBLOCK_BYTES) {
      page.putLong(at, MAGIC).putInt(at + 8, VERSION).putInt(at + 12, lanes);
      page.putLong(at + 16, laneBytes).putInt(at + 24, fileSlots);
      page.putLong(at + 32, logId).putLong(at + 40, createdMillis);
      page.putInt(at + CRC_AT, sum(page, at));
    }
    return page;
  }

  /**
   * Reads a superblock, or its copy if it is damaged.
   *
   * @param page the first 8 KiB of a log
   * @throws IllegalArgumentException if they are of no log, or of one of another version
   */
  public static LogLayout read(ByteBuffer page) {
    ByteBuffer ordered = page.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < 2 * SUPERBLOCK_BYTES; at += SUPERBLOCK_BYTES) {
      if (ordered.getLong(at) == MAGIC && ordered.getInt(at + CRC_AT) == sum(ordered, at)) {
        int version = ordered.getInt(at + 8);
        if (version != VERSION) {
          throw new IllegalArgumentException(
              "it is a write log of version "
                  + version
                  + "; this library reads version "
                  + VERSION
                  + ": recover it with the library that wrote it, and delete it then");
        }
        long laneBytes = ordered.getLong(at + 16);
        if (laneBytes != (int) laneBytes) {
          throw new IllegalArgumentException(
              "laneBytes is " + laneBytes + "; it must be at most " + MAX_LANE_BYTES);
        }
        return new LogLayout(
            ordered.getInt(at + 12),
            (int) laneBytes,
            ordered.getInt(at + 24),
            ordered.getLong(at + 32),
            ordered.getLong(at + 40));
      }
    }
    throw new IllegalArgumentException(
        "it is not a write log, or both its superblocks are damaged; name another file");
  }

  private static int sum(ByteBuffer page, int at) {
    CRC32C sum = new CRC32C();
    sum.update(page.slice(at, CRC_AT));
    sum.update(page.slice(at + CRC_AT + Integer.BYTES, LENGTH - CRC_AT - Integer.BYTES));
    return (int) sum.getValue();
  }
}
