// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The label of each drive of a {@link ArrayMedium}, about itself and the others. Numbers are
 * big-endian.
 *
 * <pre>
 *   0       8         12       16         32      40      48       52         56
 *   +-------+---------+--------+----------+-------+-------+--------+----------+-----…-----+------+-----+
 *   | magic | version | drives | array    | epoch | conf. | number | bytes of | 24 bytes  |zeros | CRC |
 *   |  u64  |   u32   |  u32   | 128 bits |  u64  |  u64  |  u32   |a unit u32| per drive |      | u32 |
 *   +-------+---------+--------+----------+-------+-------+--------+----------+-----…-----+------+-----+
 *
 *   of each drive:  | identity 128 bits, or zeros | units u32 | zeros u32 |
 * </pre>
 *
 * <p>The <b>epoch</b> grows with each start, and whenever a drive is lost or taken back. The drives
 * that serve are told of it before anything else is written that a lost one misses; then, in one
 * more epoch, that all of them were: that one is <b>confirmed</b>. So of the labels that a start
 * finds, the newest says which drives count: those that it lists under the identity that they have,
 * whose own label is not older than what all were told. One that missed a start, or was copied
 * before the last, does not count; nor does a kill, while drives are told, cost any of them.
 *
 * @param array drawn when the drives were first put together
 * @param confirmed the last epoch that all drives had been told of when this was written
 * @param number of this drive, by which its place in the array is known
 * @param unitBytes of what drives are divided in: a region
 * @param members in the order of their numbers
 */
record ArrayLabel(
    UUID array, long epoch, long confirmed, int number, int unitBytes, List<Member> members) {
  static final int BYTES = 4 << 10;

  /** More would hardly be one machine's. */
  static final int MOST_DRIVES = 64;

  /** The identity that says that the drive of this number is lost. */
  static final UUID NO_DRIVE = new UUID(0, 0);

  private static final long MAGIC = 0x4e56_4472_6976_6573L; // "NVDrives"
  private static final int VERSION = 1;
  private static final long EPOCH_LIMIT = 1L << 62;
  private static final int VERSION_AT = 8;
  private static final int COUNT_AT = 12;
  private static final int ARRAY_AT = 16;
  private static final int EPOCH_AT = 32;
  private static final int CONFIRMED_AT = 40;
  private static final int NUMBER_AT = 48;
  private static final int UNIT_AT = 52;
  private static final int MEMBERS_AT = 56;
  private static final int MEMBER_BYTES = 24;
  private static final int SUM_AT = BYTES - Integer.BYTES;

  /**
   * A drive of the array.
   *
   * @param identity drawn when it joined; {@link #NO_DRIVE} if it is lost
   * @param units how many there are on it
   */
  record Member(UUID identity, int units) {}

  ArrayLabel {
    members = List.copyOf(members);
  }

  /** Returns what is said of the drive that has this label. */
  Member own() {
    return members.get(number);
  }

  /** Returns whether the drive that has another label counts, by this one, which is the newest. */
  boolean counts(ArrayLabel other) {
    Member its = members.get(other.number);
    return !its.identity.equals(NO_DRIVE)
        && its.identity.equals(other.own().identity)
        && other.epoch >= confirmed;
  }

  /** Returns how many units there are on each drive, in the order of their numbers. */
  List<Integer> units() {
    return members.stream().map(Member::units).toList();
  }

  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    bytes.putLong(0, MAGIC).putInt(VERSION_AT, VERSION).putInt(COUNT_AT, members.size());
    putUuid(bytes, ARRAY_AT, array);
    bytes.putLong(EPOCH_AT, epoch).putLong(CONFIRMED_AT, confirmed);
    bytes.putInt(NUMBER_AT, number).putInt(UNIT_AT, unitBytes);
    for (int i = 0; i < members.size(); i++) {
      int at = MEMBERS_AT + i * MEMBER_BYTES;
      Member member = members.get(i);
      putUuid(bytes, at, member.identity);
      bytes.putInt(at + 16, member.units);
    }
    return bytes.putInt(SUM_AT, sum(bytes, 0));
  }

  /** Reads from the beginning of a drive. */
  @FunctionalInterface
  interface Source {
    void read(long offset, ByteBuffer dst, int position, int length) throws IOException;
  }

  /** Returns the newest label that can be read on a drive. */
  static @Nullable ArrayLabel newest(Source drive) {
    ArrayLabel newest = null;
    for (int copy = 0; copy < 2; copy++) {
      ByteBuffer bytes = ByteBuffer.allocate(BYTES);
      try {
        drive.read((long) copy * BYTES, bytes, 0, BYTES);
      } catch (IOException | RuntimeException unreadable) {
        continue;
      }
      ArrayLabel read = decode(bytes, 0);
      if (read != null && (newest == null || read.epoch > newest.epoch)) {
        newest = read;
      }
    }
    return newest;
  }

  /** Returns the label in a buffer; null if it is none that a cache can have written. */
  static @Nullable ArrayLabel decode(ByteBuffer bytes, int from) {
    int count = bytes.getInt(from + COUNT_AT);
    if (bytes.getLong(from) != MAGIC
        || bytes.getInt(from + VERSION_AT) != VERSION
        || bytes.getInt(from + SUM_AT) != sum(bytes, from)
        || count < 1
        || count > MOST_DRIVES) {
      return null;
    }
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = from + MEMBERS_AT + i * MEMBER_BYTES;
      members.add(new Member(uuid(bytes, at), bytes.getInt(at + 16)));
    }
    ArrayLabel read =
        new ArrayLabel(
            uuid(bytes, from + ARRAY_AT),
            bytes.getLong(from + EPOCH_AT),
            bytes.getLong(from + CONFIRMED_AT),
            bytes.getInt(from + NUMBER_AT),
            bytes.getInt(from + UNIT_AT),
            members);
    return read.isPossible() ? read : null;
  }

  private boolean isPossible() {
    return epoch > 0
        && epoch < EPOCH_LIMIT
        && confirmed >= 0
        && confirmed < epoch
        && number >= 0
        && number < members.size()
        && Integer.bitCount(unitBytes) == 1
        && unitBytes > 0
        && !own().identity.equals(NO_DRIVE)
        && members.stream().allMatch(m -> m.units > 0);
  }

  private static void putUuid(ByteBuffer bytes, int at, UUID uuid) {
    bytes.putLong(at, uuid.getMostSignificantBits());
    bytes.putLong(at + Long.BYTES, uuid.getLeastSignificantBits());
  }

  private static UUID uuid(ByteBuffer bytes, int at) {
    return new UUID(bytes.getLong(at), bytes.getLong(at + Long.BYTES));
  }

  private static int sum(ByteBuffer bytes, int from) {
    CRC32C sum = new CRC32C();
    sum.update(bytes.duplicate().clear().position(from).limit(from + SUM_AT));
    return (int) sum.getValue();
  }
}
