// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static io.nvcache.internal.index.BucketLayout.BUCKET_BYTES;
import static io.nvcache.internal.index.BucketLayout.BUCKET_SHIFT;
import static io.nvcache.internal.index.BucketLayout.SLOTS;
import static io.nvcache.internal.index.BucketLayout.SLOTS_SHIFT;

import io.nvcache.Checksum;
import io.nvcache.eviction.SlotMarks;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.GlobalFence;
import io.nvcache.memory.OffHeapBytes;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The hash table from a block's key to its place, off the heap, of a fixed size.
 *
 * <p>A key may lie in one of two buckets given by its hash: the first, or, when that was full, the
 * second. Entries never move, so a slot number names a block from its insertion to its removal.
 *
 * <p><b>Assumptions.</b> Callers hold the memory open ({@link CallGate}). <b>Guarantees.</b> A
 * found entry whose version is still {@linkplain Bucket#isUnchanged the same} after its block was
 * read was in the index all that while. Lookups write nothing and take no lock. A key is in the
 * index at most once.
 *
 * <p>Finds entries; how they come and go under the buckets' locks is the business of {@link
 * IndexChanges}. The policies' marks of them are {@link IndexMarks}. The layout is drawn in {@link
 * BucketLayout}.
 */
public final class BlockIndex implements AutoCloseable {
  /** What {@link #find} returns for a key that is not there. Its slot is negative. */
  public static final long NOT_FOUND = -1L;

  /** What {@link #find} returns when a writer held a bucket for too long. Its slot is negative. */
  public static final long BUSY = -2L;

  /** What {@link #remove} and {@link #removeSlot} return when nothing was removed. */
  public static final long NOT_REMOVED = -1L;

  /**
   * Slots of the largest index. Leaves room for loops that advance by some thousands of slots: the
   * number of the slot that they would look at next is an {@code int} as well.
   */
  public static final long MAX_SLOTS = (1L << 31) - (1 << 12);

  /** Slots that a key may lie in. */
  public static final int CANDIDATES = 2 * SLOTS;

  private static final int SPINS_BEFORE_BUSY = 256;

  private final OffHeapBytes memory;
  private final long base;
  private final int buckets;
  private final IndexHash hash;
  private final @Nullable BlockSums sums;
  private final IndexChanges changes;
  private final IndexMarks marks;
  private final IndexLifetime lifetime;

  /**
   * Hears of the changes of one slot, inside the lock of its bucket. Must not throw: the change is
   * made, and its other half follows.
   */
  public interface SlotListener {
    void inserted(int slot);

    void removed(int slot, long key);
  }

  /** Decides inside the bucket's lock whether an entry goes. */
  @FunctionalInterface
  public interface Removal {
    boolean mayRemove(long key, long location);
  }

  /**
   * Makes an empty index.
   *
   * @param minimumSlots rounded up to whole buckets
   * @param seed makes the hash differ from cache to cache, so that keys can't be crafted to collide
   */
  public BlockIndex(long minimumSlots, long seed) {
    this(minimumSlots, seed, Checksum.NONE);
  }

  /** The same, with room for each block's checksum. */
  public BlockIndex(long minimumSlots, long seed, Checksum checksum) {
    this(minimumSlots, seed, slots -> checksum == Checksum.NONE ? null : BlockSums.plain(slots));
  }

  /**
   * Makes one that keeps of each block a sum, and whether it was {@linkplain #verified compared}.
   */
  public static BlockIndex ofVerified(long minimumSlots, long seed) {
    return new BlockIndex(minimumSlots, seed, BlockSums::marked);
  }

  private BlockIndex(long minimumSlots, long seed, IntFunction<@Nullable BlockSums> newSums) {
    assert minimumSlots <= MAX_SLOTS : minimumSlots;
    long wanted = Math.max(2, (minimumSlots + SLOTS - 1) >> SLOTS_SHIFT);
    this.buckets = (int) wanted;
    this.hash = new IndexHash(seed);
    this.memory = OffHeapBytes.zeroed(wanted << BUCKET_SHIFT, BUCKET_BYTES);
    this.base = memory.address();
    this.sums = newSums.apply(slots());
    this.changes = new IndexChanges(this, sums);
    this.marks = new IndexMarks(base, slots());
    this.lifetime = new IndexLifetime(memory);
  }

  /** Has the pages of the index taken from the system ahead of many entries that are to come. */
  public void takePagesAhead() {
    memory.takePagesAhead("index-pages");
  }

  public int slots() {
    return buckets << SLOTS_SHIFT;
  }

  /** Returns whether a checksum is kept next to each entry. */
  public boolean keepsSums() {
    return sums != null;
  }

  public long metadataBytes() {
    return memory.sizeBytes() + (sums == null ? 0 : sums.metadataBytes());
  }

  /**
   * Looks a key up.
   *
   * @return the entry's version in the high and its slot in the low 32 bits, or {@link #NOT_FOUND}
   *     or {@link #BUSY}
   */
  public long find(long key) {
    return findHash(hash.of(key));
  }

  /** The same, by the key's {@linkplain #hash hash}. */
  public long findHash(long h) {
    long first = firstBucket(h);
    long found = findIn(first, h);
    return found == NOT_FOUND && Bucket.hasOverflow(first)
        ? findIn(secondBucket(h, first), h)
        : found;
  }

  /**
   * The same for who took the first bucket's version and then looked into it: either the version
   * says that it was locked, or the key was not there, and the search need not be made again.
   */
  public long findBeyond(long first, int version, long h) {
    boolean overflow = Bucket.hasOverflow(first);
    if (Bucket.isLocked(version) || !Bucket.isUnchanged(first, version)) {
      return findHash(h);
    }
    return overflow ? findIn(secondBucket(h, first), h) : NOT_FOUND;
  }

  private long findIn(long bucket, long h) {
    for (int spins = 1; spins <= SPINS_BEFORE_BUSY; spins++) {
      int version = Bucket.versionAcquire(bucket);
      if (!Bucket.isLocked(version)) {
        int i = Bucket.find(bucket, h);
        if (i >= 0) {
          return (long) version << Integer.SIZE | slot(bucket, i);
        }
        if (Bucket.isUnchanged(bucket, version)) {
          return NOT_FOUND;
        }
      }
      Bucket.pause(spins);
    }
    return BUSY;
  }

  /** Returns the slot of what {@link #find} returned; negative if it found nothing. */
  public static int slot(long found) {
    return (int) found;
  }

  /** Returns the version of the bucket that {@link #find} found the entry in. */
  public static int version(long found) {
    return (int) (found >>> Integer.SIZE);
  }

  /** Returns the location in the slot. Means something only if the version was unchanged. */
  public long location(int slot) {
    return Bucket.location(bucketOf(slot), inBucket(slot));
  }

  /** Returns the slot's slack, in bytes. Means something only if the version was unchanged. */
  public int slack(int slot) {
    return Bucket.slack(bucketOf(slot), inBucket(slot));
  }

  /**
   * Returns the checksum of the slot's block, if there are any. Means something only as the slack
   * does.
   */
  public int sum(int slot) {
    return sums == null ? 0 : sums.get(slot);
  }

  /** Returns whether the sum of a slot says that its block was compared with it. */
  public static boolean isVerified(int sum) {
    return BlockSums.isVerified(sum);
  }

  /** Returns whether what a slot has is the sum of these bytes, except for the lowest bit. */
  public static boolean isSum(int ofSlot, int ofBytes) {
    return BlockSums.isSum(ofSlot, ofBytes);
  }

  /**
   * Notes that a block was compared with its sum, where it lies. Does nothing if the slot has
   * another entry by now, or its block lies elsewhere, or a writer is in the bucket: then it is
   * compared once more. Waits for no one. In an index {@linkplain #ofVerified of such sums} only.
   *
   * @param sum what {@link #sum} had returned
   */
  public void verified(int slot, long h, long location, int sum) {
    changes.verified(slot, h, location, sum);
  }

  /**
   * Returns the slot's key, or {@link BucketLayout#EMPTY_KEY} if it is empty. Read without the
   * lock, it may be one that never was: it means something only if the version was unchanged.
   */
  public long key(int slot) {
    return keyIn(bucketOf(slot), inBucket(slot));
  }

  /** The same of a slot of a bucket; inside its lock always right. */
  public long keyIn(long bucket, int i) {
    return hash.keyOf(Bucket.hash(bucket, i));
  }

  /** Returns what the slot's entry is found by. Means something only as the key does. */
  public long hashIn(int slot) {
    return Bucket.hash(bucketOf(slot), inBucket(slot));
  }

  /** Returns the key that a hash belongs to. */
  public long keyOf(long h) {
    return hash.keyOf(h);
  }

  /** Returns what the entry of a key is found by. */
  public long hash(long key) {
    return hash.of(key);
  }

  /** Returns the policies' marks of the slots. */
  public SlotMarks marks() {
    return marks;
  }

  /** The outcome of an insertion. */
  public enum Insertion {
    DONE,

    /** The key is there already. */
    DUPLICATE,

    /** Both buckets are full. */
    FULL
  }

  /** Puts an entry in. */
  public Insertion insert(long key, long location, int slackBytes, SlotListener listener) {
    return insertHash(hash.of(key), location, slackBytes, 0, listener);
  }

  /** The same, by the key's {@linkplain #hash hash}, with the block's checksum. */
  public Insertion insertHash(
      long h, long location, int slackBytes, int sum, SlotListener listener) {
    return changes.insert(h, location, slackBytes, sum, listener);
  }

  /**
   * Reads the buckets of some hashes, without waiting for one before the next is asked for:
   * insertions that follow find them in the processor's caches. Returns a number that means
   * nothing, so that the reads can't be left out.
   */
  public long touch(long[] hashes, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Bucket.touch(firstBucket(hashes[i]));
    }
    for (int i = 0; i < count; i++) {
      long first = firstBucket(hashes[i]);
      if (Bucket.hasOverflow(first) || Bucket.findEmpty(first) < 0) {
        sum += Bucket.touch(secondBucket(hashes[i], first));
      }
    }
    return sum;
  }

  /** Returns the first slot of the bucket where the key of this hash is put if there is room. */
  public int firstSlot(long h) {
    return slot(firstBucket(h), 0);
  }

  /** One of the slots that the key of this hash may lie in; {@code turn} 0 to 15 gives each. */
  public int candidateSlot(long h, int turn) {
    long first = firstBucket(h);
    long bucket = (turn & SLOTS) == 0 ? first : secondBucket(h, first);
    return slot(bucket, turn & (SLOTS - 1));
  }

  /**
   * Empties a slot.
   *
   * @return the {@linkplain #locationOf place} of the block that lay there, or {@link #NOT_REMOVED}
   *     if the slot was empty or {@code removal} refused
   */
  public long removeSlot(int slot, Removal removal, SlotListener listener) {
    Objects.checkIndex(slot, slots());
    return changes.removeSlot(slot, removal, listener);
  }

  /**
   * Has an entry lie elsewhere; its slot, mark and length stay.
   *
   * @return false if the slot has another entry, or its block lay elsewhere
   */
  public boolean relocate(int slot, long h, long from, long to) {
    Objects.checkIndex(slot, slots());
    return changes.relocate(slot, h, from, to);
  }

  /**
   * Takes a key out.
   *
   * @return the {@linkplain #locationOf place} of its block, or {@link #NOT_REMOVED} if the key was
   *     not there or {@code removal} refused
   */
  public long remove(long key, Removal removal, SlotListener listener) {
    return changes.remove(hash.of(key), removal, listener);
  }

  /** Returns the location in a place. */
  public static long locationOf(long place) {
    return place >>> Short.SIZE;
  }

  /** Returns the slack in a place. */
  public static int slackOf(long place) {
    return (int) place & BucketLayout.MAX_SLACK_BYTES;
  }

  /** Returns whether a key may lie in a bucket, and is counted as overflow if it is the second. */
  public boolean isHome(long bucket, long key) {
    long h = hash.of(key);
    long first = firstBucket(h);
    return first == bucket || (secondBucket(h, first) == bucket && Bucket.hasOverflow(first));
  }

  /** Returns the address of the bucket that a slot is in. */
  public long bucketOf(int slot) {
    return base + ((long) (slot >>> SLOTS_SHIFT) << BUCKET_SHIFT);
  }

  /** Returns the slot's place in its bucket. */
  public static int inBucket(int slot) {
    return slot & (SLOTS - 1);
  }

  /** Returns the number of a slot of a bucket. */
  public int slot(long bucket, int i) {
    return (int) ((bucket - base) >>> BUCKET_SHIFT) << SLOTS_SHIFT | i;
  }

  /** Returns where a block is put if there is room. */
  public long firstBucket(long h) {
    return bucket(h >>> Integer.SIZE);
  }

  /** Returns where it is put if that one is full; never the same. */
  long secondBucket(long h, long first) {
    long second = bucket(h & 0xFFFF_FFFFL);
    if (second != first) {
      return second;
    }
    return second == base ? base + BUCKET_BYTES : second - BUCKET_BYTES;
  }

  /** Scales 32 hash bits to a bucket without a division (D. Lemire, 2016). */
  private long bucket(long hash32) {
    return base + ((hash32 * buckets) >>> Integer.SIZE << BUCKET_SHIFT);
  }

  /** Returns for how long versions count, and the memory lasts. */
  public IndexLifetime lifetime() {
    return lifetime;
  }

  @Override
  public void close() {
    marks.close();
    lifetime.endEpoch();
    // For a thread that a policy should have ended: it sees them closed. And for one that reads a
    // block in place: what is stored there from now on, it does not take for the block.
    GlobalFence.pass();
    lifetime.freeUnlessLeft();
    if (sums != null) {
      sums.close();
    }
  }
}
