// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static io.nvcache.internal.index.BucketLayout.FINGERPRINTS_OFFSET;
import static io.nvcache.internal.index.BucketLayout.FINGERPRINT_BYTES;
import static io.nvcache.internal.index.BucketLayout.HASHES_OFFSET;
import static io.nvcache.internal.index.BucketLayout.LOCATIONS_OFFSET;
import static io.nvcache.internal.index.BucketLayout.MARKS_OFFSET;
import static io.nvcache.internal.index.BucketLayout.OVERFLOW_OFFSET;
import static io.nvcache.internal.index.BucketLayout.SLACKS_OFFSET;
import static io.nvcache.internal.index.BucketLayout.TAGS_OFFSET;
import static io.nvcache.internal.index.BucketLayout.VERSION_OFFSET;

import io.nvcache.memory.RawMemory;

/**
 * Reads and writes the fields of a bucket, given by its address, and locks it.
 *
 * <p>The version is the lock: odd while a writer is inside. Readers take an even version, read what
 * they want, and ask {@link #isUnchanged} before they believe it.
 */
public final class Bucket {
  private static final int SPINS_BEFORE_YIELD = 64;
  private static final int BYTE_SHIFT = 3;
  private static final int QUARTER_MASK = (1 << 30) - 1;
  private static final long TAG_MASK = 0xFF;
  private static final long FINGERPRINT_MASK = ~TAG_MASK;
  private static final long EACH_LOW_BIT = 0x0101_0101_0101_0101L;
  private static final long EACH_HIGH_BIT = EACH_LOW_BIT << 7;

  /** Instead of a hash: no block's, and an empty slot's. */
  static final long EMPTY = 0;

  private Bucket() {}

  /** Returns the version; acquires what the writer before it released. Odd: a writer is inside. */
  public static int versionAcquire(long bucket) {
    return RawMemory.getIntVolatile(bucket + VERSION_OFFSET);
  }

  public static boolean isLocked(int version) {
    return (version & 1) != 0;
  }

  /**
   * Returns whether nothing that was read since the version was taken can have been half a change.
   *
   * <p>The fence keeps plain reads from passing the read of the version. A reader that has taken a
   * reference by a compare-and-swap needs that read to be volatile as well: a load fence would let
   * it pass the swap's store on processors that are not x86.
   */
  public static boolean isUnchanged(long bucket, int version) {
    RawMemory.loadFence();
    return versionAcquire(bucket) == version;
  }

  public static void lock(long bucket) {
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

  /**
   * Publishes the change: the next even version. Returns whether that is one of four that come long
   * before any version comes again.
   */
  public static boolean unlock(long bucket) {
    int version = RawMemory.getInt(bucket + VERSION_OFFSET) + 1;
    RawMemory.putIntRelease(bucket + VERSION_OFFSET, version);
    return (version & QUARTER_MASK) == 0;
  }

  /** Nothing was changed: back to the version before, so that readers inside needn't start over. */
  public static void unlockUnchanged(long bucket) {
    RawMemory.putIntRelease(bucket + VERSION_OFFSET, RawMemory.getInt(bucket + VERSION_OFFSET) - 1);
  }

  @SuppressWarnings("ThreadPriorityCheck") // The writer inside may need this very processor.
  public static void pause(int spins) {
    if (spins % SPINS_BEFORE_YIELD == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  /** Reads both cache lines. */
  static long touch(long bucket) {
    return RawMemory.getLong(bucket) + RawMemory.getLong(bucket + HASHES_OFFSET);
  }

  /** Returns which of the bucket's slots holds the key of this hash; -1 if none does. */
  public static int find(long bucket, long hash) {
    long rotated = rotated(hash);
    long fingerprint = rotated & FINGERPRINT_MASK;
    for (long candidates = candidates(bucket, rotated);
        candidates != 0;
        candidates &= candidates - 1) {
      int i = Long.numberOfTrailingZeros(candidates) >>> BYTE_SHIFT;
      if ((word(bucket, i) & FINGERPRINT_MASK) == fingerprint) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the first empty slot; -1 if none is. */
  static int findEmpty(long bucket) {
    return find(bucket, EMPTY);
  }

  /**
   * Returns the high bit of each byte whose slot has the tag: of the zero bytes of the difference,
   * and no others, since what is taken for an equal tag is not compared again.
   */
  private static long candidates(long bucket, long rotated) {
    long difference = RawMemory.getLong(bucket + TAGS_OFFSET) ^ (rotated & TAG_MASK) * EACH_LOW_BIT;
    return ~(((difference & ~EACH_HIGH_BIT) + ~EACH_HIGH_BIT) | difference) & EACH_HIGH_BIT;
  }

  /** Returns the hash as it is stored: the tag lowest. */
  private static long rotated(long hash) {
    return Long.rotateLeft(hash, Integer.SIZE);
  }

  /** Returns the fingerprint in the high bits, below it a byte that is none of this slot's. */
  private static long word(long bucket, int i) {
    return RawMemory.getLong(bucket + FINGERPRINTS_OFFSET + (long) i * FINGERPRINT_BYTES);
  }

  /** Returns the hash of the slot's key; {@link #EMPTY} if it is empty. */
  public static long hash(long bucket, int i) {
    long tag = RawMemory.getLong(bucket + TAGS_OFFSET) >>> (i << BYTE_SHIFT) & TAG_MASK;
    return rotated((word(bucket, i) & FINGERPRINT_MASK) | tag);
  }

  public static long location(long bucket, int i) {
    return Integer.toUnsignedLong(
        RawMemory.getInt(bucket + LOCATIONS_OFFSET + (long) i * Integer.BYTES));
  }

  public static int slack(long bucket, int i) {
    return Short.toUnsignedInt(RawMemory.getShort(bucket + SLACKS_OFFSET + (long) i * Short.BYTES));
  }

  public static void prepare(long bucket, int i, long location, int slackBytes) {
    RawMemory.putInt(bucket + LOCATIONS_OFFSET + (long) i * Integer.BYTES, (int) location);
    RawMemory.putShort(bucket + SLACKS_OFFSET + (long) i * Short.BYTES, (short) slackBytes);
  }

  public static void publish(long bucket, int i, long hash) {
    put(bucket, i, hash);
  }

  public static void empty(long bucket, int i) {
    put(bucket, i, EMPTY);
  }

  /** Inside the lock: the words that are changed have a neighbour's bits in them. */
  private static void put(long bucket, int i, long hash) {
    long rotated = rotated(hash);
    long fingerprint = bucket + FINGERPRINTS_OFFSET + (long) i * FINGERPRINT_BYTES;
    RawMemory.putLong(
        fingerprint, (RawMemory.getLong(fingerprint) & TAG_MASK) | (rotated & FINGERPRINT_MASK));
    int shift = i << BYTE_SHIFT;
    long tags = RawMemory.getLong(bucket + TAGS_OFFSET) & ~(TAG_MASK << shift);
    RawMemory.putLong(bucket + TAGS_OFFSET, tags | (rotated & TAG_MASK) << shift);
  }

  static int mark(long bucket, int i) {
    return Byte.toUnsignedInt(RawMemory.getByte(bucket + MARKS_OFFSET + i));
  }

  /** All marks, the first one in the lowest byte. */
  static long marks(long bucket) {
    return RawMemory.getLongLittleEndian(bucket + MARKS_OFFSET);
  }

  static void mark(long bucket, int i, int mark) {
    RawMemory.putByte(bucket + MARKS_OFFSET + i, (byte) mark);
  }

  static boolean hasOverflow(long bucket) {
    return RawMemory.getIntVolatile(bucket + OVERFLOW_OFFSET) != 0;
  }

  /**
   * Counts the blocks that lie in their second bucket; exact, though the lock is not always held.
   */
  static void addOverflow(long bucket, int delta) {
    RawMemory.getAndAddInt(bucket + OVERFLOW_OFFSET, delta);
  }
}
