// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Says for each file id where the file lies. A slot is durable before the first record names its
 * id, and is used for another file only when the medium holds a drained number behind the last one.
 *
 * <pre>
 *  0 file id u64 | 8 epoch u32 | 12 mode u32 | 16 path length u32 | 20 crc32c u32 of 0 to 19, path
 * 24 0 u64 | 32 inode u64 | 40 state u64: these two change, each as one word | 48 0 | 64 path, UTF-8
 * </pre>
 */
final class FileTable {
  static final int SLOT_BYTES = 1024;

  /** The longest path in bytes. */
  static final int MAX_PATH_BYTES = SLOT_BYTES - 64;

  /** Whether recovery may make the file anew. */
  enum State {
    /** Nothing is known of the slot. */
    NONE(0),
    /** The file was there, and its name is durable. If it is missing, it was deleted. */
    KNOWN(1),
    /** The program created the file, and all its bytes are in the log. */
    CREATED(2),
    /** A recovery is creating it, or has. Any inode is right. */
    RECREATED(3);

    private final long code;

    State(long code) {
      this.code = code;
    }

    private static State of(long code) {
      for (State state : values()) {
        if (state.code == code) {
          return state;
        }
      }
      return NONE;
    }
  }

  /** A slot in use. */
  record Entry(long fileId, String path, long inode, int mode, State state) {}

  private static final int SLOT_BITS = 16;
  private static final int EPOCH = 8;
  private static final int MODE = 12;
  private static final int PATH_LENGTH = 16;
  private static final int CRC = 20;
  private static final int INODE = 32;
  private static final int STATE = 40;
  private static final int PATH = 64;

  private final LogRegion head;
  private final int slots;
  private final int epoch;

  FileTable(LogRegion head, int slots, int epoch) {
    this.head = head;
    this.slots = slots;
    this.epoch = epoch;
  }

  /** Returns an id that leads to a slot. */
  static long idOf(int slot, long generation) {
    return generation << SLOT_BITS | slot;
  }

  static int slotOf(long fileId) {
    return (int) (fileId & (1 << SLOT_BITS) - 1);
  }

  /** Fills a slot; durable when this returns. */
  void put(Entry entry) {
    byte[] path = entry.path().getBytes(StandardCharsets.UTF_8);
    int at = at(entry.fileId());
    head.putLong(at, entry.fileId());
    head.putInt(at + EPOCH, epoch);
    head.putInt(at + MODE, entry.mode());
    head.putInt(at + PATH_LENGTH, path.length);
    head.put(at + PATH, ByteBuffer.wrap(path), 0, path.length);
    head.putInt(at + CRC, sum(at, path.length));
    head.putLong(at + INODE, entry.inode());
    head.putLong(at + STATE, entry.state().code);
    head.persist(at, PATH + path.length);
  }

  /** Changes the state, durably and as a whole. */
  void putState(long fileId, State state) {
    int at = at(fileId) + STATE;
    head.putLong(at, state.code);
    head.persist(at, Long.BYTES);
  }

  /** Returns what the table knows of a file; null if it is damaged or of another epoch. */
  @Nullable Entry get(long fileId) {
    if (fileId <= 0 || slotOf(fileId) >= slots) {
      return null;
    }
    int at = at(fileId);
    int length = head.getInt(at + PATH_LENGTH);
    State state = State.of(head.getLong(at + STATE));
    if (head.getLong(at) != fileId
        || head.getInt(at + EPOCH) != epoch
        || length <= 0
        || length > MAX_PATH_BYTES
        || state == State.NONE
        || sum(at, length) != head.getInt(at + CRC)) {
      return null;
    }
    byte[] path = new byte[length];
    head.view(at + PATH, length).get(path);
    return new Entry(
        fileId,
        new String(path, StandardCharsets.UTF_8),
        head.getLong(at + INODE),
        head.getInt(at + MODE),
        state);
  }

  private int sum(int at, int pathLength) {
    CRC32C sum = new CRC32C();
    sum.update(head.view(at, CRC));
    sum.update(head.view(at + PATH, pathLength));
    return (int) sum.getValue();
  }

  private static int at(long fileId) {
    return LogLayout.TABLE + slotOf(fileId) * SLOT_BYTES;
  }
}
