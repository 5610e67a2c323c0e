// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static io.nvcache.internal.BucketLayout.EMPTY_KEY;
import static io.nvcache.internal.BucketLayout.KEYS_OFFSET;
import static io.nvcache.internal.BucketLayout.LOCATIONS_OFFSET;
import static io.nvcache.internal.BucketLayout.MARKS_OFFSET;
import static io.nvcache.internal.BucketLayout.SLACKS_OFFSET;
import static io.nvcache.internal.BucketLayout.SLOTS;
import static io.nvcache.internal.BucketLayout.SPILLED_OFFSET;
import static io.nvcache.internal.BucketLayout.VERSION_OFFSET;

import io.nvcache.memory.RawMemory;

/**
 * Reads and writes the fields of a bucket, given by its address, and locks it.
 *
 * <p>The version is the lock: odd while a writer is inside. Readers take an even version, read what
 * they want, and ask {@link #isUnchanged} before they believe it.
 */
final class Bucket {
  private static final int SPINS_BEFORE_YIELD = 64;
  private static final int LONG_BITS_SHIFT = 6;

  private Bucket() {}

  /** The version; acquires what the writer before it released. Odd: a writer is inside. */
  static int versionAcquire(long bucket) {
    return RawMemory.getIntVolatile(bucket + VERSION_OFFSET);
  }

  static boolean isLocked(int version) {
    return (version & 1) != 0;
  }

  /** Whether nothing that was read since the version was taken can have been half a change. */
  static boolean isUnchanged(long bucket, int version) {
    RawMemory.loadFence();
    return RawMemory.getInt(bucket + VERSION_OFFSET) == version;
  }

  static void lock(long bucket) {
    int spins = 0;
    while (!tryLock(bucket)) {
      pause(++spins);
    }
  }

  static boolean tryLock(long bucket) {
    int version = versionAcquire(bucket);
    if (isLocked(version)
        || !RawMemory.compareAndSwapInt(bucket + VERSION_OFFSET, version, version + 1)) {
      return false;
    }
    // On processors that let a store pass the swap's own store, readers could see the change before
    // the odd version.
    RawMemory.storeFence();
    return true;
  }

  /** Publishes the change: the next even version. */
  static void unlock(long bucket) {
    RawMemory.putIntRelease(bucket + VERSION_OFFSET, RawMemory.getInt(bucket + VERSION_OFFSET) + 1);
  }

  /** Nothing was changed: back to the version before, so that readers inside needn't start over. */
  static void unlockUnchanged(long bucket) {
    RawMemory.putIntRelease(bucket + VERSION_OFFSET, RawMemory.getInt(bucket + VERSION_OFFSET) - 1);
  }

  @SuppressWarnings("ThreadPriorityCheck") // The writer inside may need this very processor.
  static void pause(int spins) {
    if (spins % SPINS_BEFORE_YIELD == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  /**
   * Which of the bucket's slots holds the key, or the first empty one; -1 if none does.
   *
   * <p>Looks at all of them, without a branch on what it sees: one that leaves at the right slot is
   * guessed wrong every other time, and the processor finds out only when the line has come from
   * memory, having begun nothing of what comes next in the meantime.
   */
  static int find(long bucket, long key) {
    int equal = 0;
    for (int i = 0; i < SLOTS; i++) {
      // 64 zeros lead a difference of 0, and fewer any other.
      equal |= (Long.numberOfLeadingZeros(key(bucket, i) ^ key) & Long.SIZE) << i;
    }
    return equal == 0 ? -1 : Integer.numberOfTrailingZeros(equal) - LONG_BITS_SHIFT;
  }

  static long key(long bucket, int i) {
    return RawMemory.getLong(bucket + KEYS_OFFSET + (long) i * Long.BYTES);
  }

  static long location(long bucket, int i) {
    return Integer.toUnsignedLong(
        RawMemory.getInt(bucket + LOCATIONS_OFFSET + (long) i * Integer.BYTES));
  }

  static int slack(long bucket, int i) {
    return Short.toUnsignedInt(RawMemory.getShort(bucket + SLACKS_OFFSET + (long) i * Short.BYTES));
  }

  static void prepare(long bucket, int i, long location, int slackBytes) {
    RawMemory.putInt(bucket + LOCATIONS_OFFSET + (long) i * Integer.BYTES, (int) location);
    RawMemory.putShort(bucket + SLACKS_OFFSET + (long) i * Short.BYTES, (short) slackBytes);
  }

  static void publish(long bucket, int i, long key) {
    RawMemory.putLong(bucket + KEYS_OFFSET + (long) i * Long.BYTES, key);
  }

  static void empty(long bucket, int i) {
    RawMemory.putLong(bucket + KEYS_OFFSET + (long) i * Long.BYTES, EMPTY_KEY);
  }

  static int mark(long bucket, int i) {
    return Byte.toUnsignedInt(RawMemory.getByte(bucket + MARKS_OFFSET + i));
  }

  static void mark(long bucket, int i, int mark) {
    RawMemory.putByte(bucket + MARKS_OFFSET + i, (byte) mark);
  }

  static boolean hasSpilled(long bucket) {
    return RawMemory.getIntVolatile(bucket + SPILLED_OFFSET) != 0;
  }

  /**
   * Counts the blocks that lie in their second bucket; exact, though the lock is not always held.
   */
  static void addSpilled(long bucket, int delta) {
    RawMemory.getAndAddInt(bucket + SPILLED_OFFSET, delta);
  }
}
