// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import io.nvcache.writelog.disk.Disk.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Says for each file id which file it is, and where it lay when it was given. A slot is durable
 * before the first record names its id, and is used for another file only when the medium holds a
 * drained number behind the last one.
 *
 * <pre>
 *  0 file id u64 | 8 epoch u32 | 12 mode u32 | 16 path length u32
 * 20 crc32c u32 of 0 to 19, 24 to 63, path
 * 24 device u64 | 32 inode u64 | 40 birth u64 | 48 0 | 56 0 | 64 path, UTF-8
 * </pre>
 *
 * <p>The path is a hint: what tells the file is its inode and time of birth.
 */
public final class FileTable {
  public static final int SLOT_BYTES = 1024;

  /** The longest path in bytes. */
  public static final int MAX_PATH_BYTES = SLOT_BYTES - 64;

  /** A slot in use. */
  public record Entry(long fileId, String path, Identity identity) {}

  private static final int SLOT_BITS = 16;
  private static final int EPOCH = 8;
  private static final int MODE = 12;
  private static final int PATH_LENGTH = 16;
  private static final int CRC = 20;
  private static final int DEVICE = 24;
  private static final int INODE = 32;
  private static final int BIRTH = 40;
  private static final int PATH = 64;

  private final LogRegion head;
  private final int slots;
  private final int epoch;

  public FileTable(LogRegion head, int slots, int epoch) {
    this.head = head;
    this.slots = slots;
    this.epoch = epoch;
  }

  /** Returns an id that leads to a slot. */
  public static long idOf(int slot, long generation) {
    return generation << SLOT_BITS | slot;
  }

  public static int slotOf(long fileId) {
    return (int) (fileId & (1 << SLOT_BITS) - 1);
  }

  /** Fills a slot; durable when this returns. */
  public void put(Entry entry) throws IOException {
    byte[] path = entry.path().getBytes(StandardCharsets.UTF_8);
    int at = at(entry.fileId());
    head.putLong(at, entry.fileId());
    head.putInt(at + EPOCH, epoch);
    head.putInt(at + MODE, entry.identity().mode());
    head.putInt(at + PATH_LENGTH, path.length);
    head.putLong(at + DEVICE, entry.identity().device());
    head.putLong(at + INODE, entry.identity().inode());
    head.putLong(at + BIRTH, entry.identity().birth());
    head.putLong(at + BIRTH + Long.BYTES, 0);
    head.putLong(at + BIRTH + 2 * Long.BYTES, 0);
    head.put(at + PATH, ByteBuffer.wrap(path), 0, path.length);
    head.putInt(at + CRC, sum(at, path.length));
    head.persist(at, PATH + path.length);
  }

  /** Returns what the table knows of a file, but its time; null if damaged or of another epoch. */
  public @Nullable Entry get(long fileId) {
    if (fileId <= 0 || slotOf(fileId) >= slots) {
      return null;
    }
    int at = at(fileId);
    int length = head.getInt(at + PATH_LENGTH);
    if (head.getLong(at) != fileId
        || head.getInt(at + EPOCH) != epoch
        || length <= 0
        || length > MAX_PATH_BYTES
        || sum(at, length) != head.getInt(at + CRC)) {
      return null;
    }
    byte[] path = new byte[length];
    head.view(at + PATH, length).get(path);
    Identity identity =
        new Identity(
            head.getLong(at + DEVICE),
            head.getLong(at + INODE),
            head.getLong(at + BIRTH),
            0,
            head.getInt(at + MODE) & 0777);
    return new Entry(fileId, new String(path, StandardCharsets.UTF_8), identity);
  }

  private int sum(int at, int pathLength) {
    CRC32C sum = new CRC32C();
    sum.update(head.view(at, CRC));
    sum.update(head.view(at + DEVICE, PATH - DEVICE + pathLength));
    return (int) sum.getValue();
  }

  private static int at(long fileId) {
    return LogLayout.TABLE + slotOf(fileId) * SLOT_BYTES;
  }
}
