// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import java.util.zip.CRC32C;

/**
 * The form of a record: a header of one cache line, then its payload, filled up to whole lines.
 *
 * <pre>
 *  0 lsn u64       position in the lane, counted over all laps: what an earlier lap left differs
 *  8 magic u16 | type u8 | 0 u8
 * 12 length u32    of the payload
 * 16 seq u64       order over all lanes
 * 24 file id u64   see FileTable
 * 32 offset u64    WRITE: in the file; TRUNCATE: the new length; ABORT: the seq that is void
 * 40 epoch u32     changes when a recovery has ended
 * 44 crc32c u32    of the rest of the header
 * 48 time u64      ms since 1970
 * 56 log id u32    its lower half
 * 60 crc32c u32    of the payload
 * </pre>
 *
 * <p>A lane ends at the first header that is not whole. A record with a whole header and another
 * payload is skipped: a crash may leave one, which was not acknowledged, and it is the last. Where
 * more records follow, the medium is damaged, or another thread changed a buffer while it was
 * written; no other record suffers from that.
 */
public final class LogRecord {
  /** What records are aligned to: a cache line. */
  static final int UNIT_BYTES = 64;

  public static final int HEADER_BYTES = 64;

  /** Bytes for a file. */
  public static final int WRITE = 1;

  /** A file is cut to the record's offset. */
  public static final int TRUNCATE = 2;

  /** An earlier record's change failed, and its caller knows. */
  public static final int ABORT = 3;

  /** What is left of a lap; the next record begins at the lane's start. */
  static final int PAD = 4;

  private static final int MAGIC = 0x4e57;
  private static final int KIND = 8;
  private static final int LENGTH = 12;
  private static final int SEQ = 16;
  private static final int FILE_ID = 24;
  private static final int OFFSET = 32;
  private static final int EPOCH = 40;
  private static final int CRC = 44;
  private static final int TIME = 48;
  private static final int LOG_ID = 56;
  private static final int PAYLOAD_CRC = 60;

  private LogRecord() {}

  /** Returns the room that a record takes. */
  public static int bytes(int payload) {
    return HEADER_BYTES + (payload + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
  }

  /** Returns the most bytes that a record of a lane holds. */
  public static int maxPayloadBytes(int laneBytes) {
    return Math.min(laneBytes / 4, 8 << 20) - HEADER_BYTES;
  }

  /** Adds up the payload that lies behind a header's place. */
  static int payloadSum(LogRegion lane, int at, CRC32C sum, int length) {
    sum.reset();
    lane.sum(sum, at + HEADER_BYTES, length);
    return (int) sum.getValue();
  }

  /** Stores a header. */
  static void putHeader(
      LogRegion lane,
      int at,
      CRC32C sum,
      long lsn,
      int type,
      int length,
      long seq,
      long fileId,
      long offset,
      int epoch,
      long time,
      long logId,
      int payloadSum) {
    lane.putLong(at, lsn);
    lane.putInt(at + KIND, MAGIC | type << 16);
    lane.putInt(at + LENGTH, length);
    lane.putLong(at + SEQ, seq);
    lane.putLong(at + FILE_ID, fileId);
    lane.putLong(at + OFFSET, offset);
    lane.putInt(at + EPOCH, epoch);
    lane.putLong(at + TIME, time);
    lane.putInt(at + LOG_ID, (int) logId);
    lane.putInt(at + PAYLOAD_CRC, payloadSum);
    sum.reset();
    lane.sum(sum, at, CRC);
    lane.sum(sum, at + TIME, HEADER_BYTES - TIME);
    lane.putInt(at + CRC, (int) sum.getValue());
  }

  /** Returns whether a header of this log, lap and epoch is here, whole, and as a log writes it. */
  static boolean isWhole(LogRegion lane, int at, long lsn, int epoch, long logId) {
    if (lane.getLong(at) != lsn
        || (lane.getInt(at + KIND) & 0xff00ffff) != MAGIC
        || lane.getInt(at + EPOCH) != epoch
        || lane.getInt(at + LOG_ID) != (int) logId) {
      return false;
    }
    if (!isPossible(lane, at)) {
      return false;
    }
    CRC32C sum = new CRC32C();
    sum.update(lane.view(at, CRC));
    sum.update(lane.view(at + TIME, HEADER_BYTES - TIME));
    return (int) sum.getValue() == lane.getInt(at + CRC);
  }

  /** Returns whether a log can have written such numbers, whatever the sum says. */
  private static boolean isPossible(LogRegion lane, int at) {
    int length = length(lane, at);
    int room = lane.bytes() - at - HEADER_BYTES;
    long offset = offset(lane, at);
    return switch (type(lane, at)) {
      case WRITE ->
          length >= 0
              && length <= Math.min(room, maxPayloadBytes(lane.bytes()))
              && offset >= 0
              && offset <= Long.MAX_VALUE - length;
      case TRUNCATE, ABORT -> length == 0 && offset >= 0;
      case PAD -> length == room;
      default -> false;
    };
  }

  /** Returns whether the payload of a whole header is what was appended. */
  static boolean hasPayload(LogRegion lane, int at) {
    if (type(lane, at) != WRITE) {
      return true;
    }
    CRC32C sum = new CRC32C();
    sum.update(lane.view(at + HEADER_BYTES, length(lane, at)));
    return (int) sum.getValue() == lane.getInt(at + PAYLOAD_CRC);
  }

  public static int type(LogRegion lane, int at) {
    return lane.getInt(at + KIND) >>> 16 & 0xff;
  }

  public static int length(LogRegion lane, int at) {
    return lane.getInt(at + LENGTH);
  }

  static long seq(LogRegion lane, int at) {
    return lane.getLong(at + SEQ);
  }

  public static long fileId(LogRegion lane, int at) {
    return lane.getLong(at + FILE_ID);
  }

  public static long offset(LogRegion lane, int at) {
    return lane.getLong(at + OFFSET);
  }

  public static long time(LogRegion lane, int at) {
    return lane.getLong(at + TIME);
  }
}
