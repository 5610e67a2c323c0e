// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The mark that a cache writes to its file or device, by which the next one knows that it may
 * overwrite it, and others that it is in use.
 *
 * <pre>
 *    0        8        16       32          36      64
 *   +--------+--------+--------+-----------+-------+----------------------------…
 *   | kind   | length | nonce  | CRC32C of | zeros | owner
 *   |        |        |        | the others|       |
 *   +--------+--------+--------+-----------+-------+----------------------------…
 *   64       72       88          96    104     112     120         124      granule
 *   +--------+--------+-----------+-----+-------+-------+-----------+---------+
 *   | magic  | boot   | namespace | pid | start | knock | CRC32C of | zeros   |
 *   |        |        |           |     |       |       | the owner |         |
 *   +--------+--------+-----------+-----+-------+-------+-----------+---------+
 * </pre>
 *
 * <p>The owner is all zeros while no cache has the file open. All of it lies in one sector, which
 * drives write whole or not at all.
 *
 * @param kind {@link #FLASH}, {@link #SEALED} or {@link #MAPPED}
 * @param lengthBytes of the file once it is filled; 0 while that is not done
 * @param nonce new at each opening
 * @param owner null while no cache has the file open
 * @param knock not 0 while a process asks whether the owner still runs
 */
record Mark(long kind, long lengthBytes, UUID nonce, @Nullable ProcessName owner, long knock) {
  /** At the beginning of a file or a device. */
  static final long FLASH = 0x4e56_4361_6368_6531L; // "NVCache1"

  /** The same, if all blocks that were written since it was filled are encrypted. */
  static final long SEALED = 0x4e56_4361_6368_6545L; // "NVCacheE"

  /** At the end of a file. */
  static final long MAPPED = 0x4e56_4d61_7070_6431L; // "NVMappd1"

  /** What has to be read of it, at least. */
  static final int SECTOR_BYTES = 512;

  private static final int LENGTH_AT = 8;
  private static final int NONCE_AT = 16;
  private static final int SUM_AT = 32;
  private static final int END = 36;
  private static final int OWNER_AT = 64;
  private static final int BOOT_AT = 72;
  private static final int NAMESPACE_AT = 88;
  private static final int PID_AT = 96;
  private static final int START_AT = 104;
  private static final int KNOCK_AT = 112;
  private static final int OWNER_SUM_AT = 120;
  private static final int OWNER_END = 124;
  private static final long OWNER_MAGIC = 0x4e56_4f77_6e65_7231L; // "NVOwner1"

  /** Returns the same mark without an owner. */
  Mark released() {
    return new Mark(kind, lengthBytes, nonce, null, 0);
  }

  Mark knocked(long newKnock) {
    return new Mark(kind, lengthBytes, nonce, owner, newKnock);
  }

  /** Returns whether it is at the beginning of flash. */
  boolean isFlash() {
    return kind == FLASH || kind == SEALED;
  }

  private static boolean isKind(long kind) {
    return kind == FLASH || kind == SEALED || kind == MAPPED;
  }

  /** Fills a granule. */
  void encode(ByteBuffer granule) {
    for (int i = 0; i < granule.capacity(); i++) {
      granule.put(i, (byte) 0);
    }
    granule.putLong(0, kind).putLong(LENGTH_AT, lengthBytes);
    granule.putLong(NONCE_AT, nonce.getMostSignificantBits());
    granule.putLong(NONCE_AT + Long.BYTES, nonce.getLeastSignificantBits());
    granule.putInt(SUM_AT, sum(granule, 0, SUM_AT));
    if (owner != null) {
      granule.putLong(OWNER_AT, OWNER_MAGIC);
      granule.putLong(BOOT_AT, owner.bootHigh()).putLong(BOOT_AT + Long.BYTES, owner.bootLow());
      granule.putLong(NAMESPACE_AT, owner.namespace()).putLong(PID_AT, owner.pid());
      granule.putLong(START_AT, owner.startTicks()).putLong(KNOCK_AT, knock);
      granule.putInt(OWNER_SUM_AT, sum(granule, OWNER_AT, OWNER_SUM_AT));
    }
  }

  /**
   * Returns the mark that fills a granule; null if it is none. A tool that divides a device into
   * partitions keeps the first 440 bytes of boot code, and in them a mark that was there before:
   * therefore all of the granule counts.
   */
  static @Nullable Mark decode(ByteBuffer granule) {
    long kind = granule.getLong(0);
    if (!isKind(kind)
        || granule.getInt(SUM_AT) != sum(granule, 0, SUM_AT)
        || !isZero(granule, END, OWNER_AT)
        || !isZero(granule, OWNER_END, granule.capacity())) {
      return null;
    }
    boolean owned = !isZero(granule, OWNER_AT, OWNER_END);
    if (owned
        && (granule.getLong(OWNER_AT) != OWNER_MAGIC
            || granule.getInt(OWNER_SUM_AT) != sum(granule, OWNER_AT, OWNER_SUM_AT))) {
      return null;
    }
    UUID nonce = new UUID(granule.getLong(NONCE_AT), granule.getLong(NONCE_AT + Long.BYTES));
    return new Mark(
        kind,
        granule.getLong(LENGTH_AT),
        nonce,
        owned ? owner(granule) : null,
        granule.getLong(KNOCK_AT));
  }

  private static ProcessName owner(ByteBuffer granule) {
    return new ProcessName(
        granule.getLong(BOOT_AT),
        granule.getLong(BOOT_AT + Long.BYTES),
        granule.getLong(NAMESPACE_AT),
        granule.getLong(PID_AT),
        granule.getLong(START_AT));
  }

  /** Returns whether a granule was a mark before some bytes of it were damaged. */
  static boolean wasOne(ByteBuffer granule) {
    long kind = granule.getLong(0);
    return isKind(kind)
        && isZero(granule, END, OWNER_AT)
        && isZero(granule, OWNER_END, granule.capacity());
  }

  private static boolean isZero(ByteBuffer granule, int from, int to) {
    for (int i = from; i < to; i++) {
      if (granule.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static int sum(ByteBuffer granule, int from, int to) {
    CRC32C sum = new CRC32C();
    sum.update(granule.duplicate().clear().position(from).limit(to));
    return (int) sum.getValue();
  }
}
