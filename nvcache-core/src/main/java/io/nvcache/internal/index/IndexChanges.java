// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static io.nvcache.internal.index.BucketLayout.EMPTY_KEY;

import org.jspecify.annotations.Nullable;

/**
 * Puts entries into the {@link BlockIndex} and takes them out.
 *
 * <p><b>Invariants.</b> An entry comes and goes only inside its bucket's lock. A key is in the
 * index at most once: in its first bucket, or in its second one, and then counted as overflow in
 * the first. Whatever is thrown once a bucket is locked unlocks it, except for a stack that
 * overflows where it has no room for the unlocking either.
 *
 * <p><b>Lock order.</b> An insert locks the key's first bucket, and only if that is full or has
 * overflow does it try, without waiting, to lock the second; a removal locks the bucket that holds
 * the entry, one at a time. {@link BlockIndex.SlotListener}s run inside the bucket's lock.
 */
final class IndexChanges {
  /** Instead of a slot of a bucket: the one that holds the key. */
  private static final int ANYWHERE = -1;

  private final BlockIndex index;
  private final @Nullable BlockSums sums;

  IndexChanges(BlockIndex index, @Nullable BlockSums sums) {
    this.index = index;
    this.sums = sums;
  }

  /** Publishes a change, and has no place be believed from before versions came round. */
  private void unlock(long bucket) {
    if (Bucket.unlock(bucket)) {
      index.lifetime().endEpoch();
    }
  }

  /** See {@link BlockIndex#insertHash}. */
  BlockIndex.Insertion insert(
      long h, long location, int slackBytes, int sum, BlockIndex.SlotListener listener) {
    assert slackBytes >= 0 && slackBytes <= BucketLayout.MAX_SLACK_BYTES : slackBytes;
    long first = index.firstBucket(h);
    long second = index.secondBucket(h, first);
    int tries = 0;
    while (true) {
      BlockIndex.Insertion result =
          tryInsert(first, second, h, location, slackBytes, sum, listener);
      if (result != null) {
        return result;
      }
      Bucket.pause(++tries);
    }
  }

  /** Returns null if it could not have the second bucket's lock. */
  private BlockIndex.@Nullable Insertion tryInsert(
      long first,
      long second,
      long h,
      long location,
      int slackBytes,
      int sum,
      BlockIndex.SlotListener listener) {
    boolean firstLocked = false;
    boolean secondLocked = false;
    boolean inserting = false;
    try {
      Bucket.lock(first);
      firstLocked = true;
      if (Bucket.find(first, h) >= 0) {
        return BlockIndex.Insertion.DUPLICATE;
      }
      boolean firstAlone = Bucket.findEmpty(first) >= 0 && !Bucket.hasOverflow(first);
      if (!firstAlone) {
        secondLocked = Bucket.tryLock(second);
        if (!secondLocked) {
          // Two inserts may hold each other's second: the one that can't have it starts over.
          return null;
        }
      }
      inserting = true;
      return insertLocked(
          first, firstAlone ? first : second, h, location, slackBytes, sum, listener);
    } finally {
      if (secondLocked) {
        unlock(second);
      }
      if (inserting) {
        unlock(first);
      } else if (firstLocked) {
        Bucket.unlockUnchanged(first);
      }
    }
  }

  /** Both buckets are locked, or {@code second} is the first, and the key is not in the first. */
  private BlockIndex.Insertion insertLocked(
      long first,
      long second,
      long h,
      long location,
      int slackBytes,
      int sum,
      BlockIndex.SlotListener listener) {
    if (second != first && Bucket.find(second, h) >= 0) {
      return BlockIndex.Insertion.DUPLICATE;
    }
    long bucket = first;
    int i = Bucket.findEmpty(first);
    if (i < 0) {
      bucket = second;
      i = Bucket.findEmpty(second);
      if (i < 0) {
        return BlockIndex.Insertion.FULL;
      }
    }
    int slot = index.slot(bucket, i);
    Bucket.prepare(bucket, i, location, slackBytes);
    if (sums != null) {
      sums.set(slot, sum);
    }
    listener.inserted(slot); // Before the entry exists, so that nothing can go wrong once it does.
    if (bucket != first) {
      Bucket.addOverflow(first, 1);
    }
    Bucket.publish(bucket, i, h);
    return BlockIndex.Insertion.DONE;
  }

  /** See {@link BlockIndex#removeSlot}. */
  long removeSlot(int slot, BlockIndex.Removal removal, BlockIndex.SlotListener listener) {
    long bucket = index.bucketOf(slot);
    return removeFrom(bucket, BlockIndex.inBucket(slot), Bucket.EMPTY, removal, listener);
  }

  /** See {@link BlockIndex#relocate}. */
  boolean relocate(int slot, long h, long from, long to) {
    long bucket = index.bucketOf(slot);
    int i = BlockIndex.inBucket(slot);
    boolean locked = false;
    boolean moving = false;
    try {
      Bucket.lock(bucket);
      locked = true;
      moving = Bucket.hash(bucket, i) == h && Bucket.location(bucket, i) == from;
      if (moving) {
        Bucket.prepare(bucket, i, to, Bucket.slack(bucket, i));
        if (sums != null) {
          sums.moved(slot);
        }
      }
      return moving;
    } finally {
      if (moving) {
        unlock(bucket);
      } else if (locked) {
        Bucket.unlockUnchanged(bucket);
      }
    }
  }

  /** See {@link BlockIndex#verified}. */
  void verified(int slot, long h, long location, int sum) {
    long bucket = index.bucketOf(slot);
    int i = BlockIndex.inBucket(slot);
    if (sums == null || !Bucket.tryLock(bucket)) {
      return;
    }
    try {
      if (Bucket.hash(bucket, i) == h
          && Bucket.location(bucket, i) == location
          && sums.get(slot) == sum) {
        sums.verified(slot);
      }
    } finally {
      Bucket.unlockUnchanged(bucket);
    }
  }

  /** See {@link BlockIndex#remove}. */
  long remove(long h, BlockIndex.Removal removal, BlockIndex.SlotListener listener) {
    long first = index.firstBucket(h);
    long place = removeFrom(first, ANYWHERE, h, removal, listener);
    if (place == BlockIndex.NOT_REMOVED && Bucket.hasOverflow(first)) {
      place = removeFrom(index.secondBucket(h, first), ANYWHERE, h, removal, listener);
    }
    return place;
  }

  /**
   * Empties one slot of a bucket, or the one that holds the key of this hash if {@code i} is {@link
   * #ANYWHERE}.
   */
  private long removeFrom(
      long bucket, int i, long h, BlockIndex.Removal removal, BlockIndex.SlotListener listener) {
    boolean locked = false;
    boolean removing = false;
    try {
      Bucket.lock(bucket);
      locked = true;
      int at = i == ANYWHERE ? Bucket.find(bucket, h) : i;
      if (at < 0 || !mayRemove(bucket, at, removal)) {
        return BlockIndex.NOT_REMOVED;
      }
      removing = true;
      return removeLocked(bucket, at, listener);
    } finally {
      if (removing) {
        unlock(bucket);
      } else if (locked) {
        Bucket.unlockUnchanged(bucket);
      }
    }
  }

  private boolean mayRemove(long bucket, int i, BlockIndex.Removal removal) {
    long key = index.keyIn(bucket, i);
    return key != EMPTY_KEY && removal.mayRemove(key, Bucket.location(bucket, i));
  }

  private long removeLocked(long bucket, int i, BlockIndex.SlotListener listener) {
    long h = Bucket.hash(bucket, i);
    long key = index.keyIn(bucket, i);
    long place = Bucket.location(bucket, i) << Short.SIZE | Bucket.slack(bucket, i);
    Bucket.empty(bucket, i);
    long first = index.firstBucket(h);
    if (first != bucket) {
      // Not under the first bucket's lock: a reader that sees the count late only looks twice.
      Bucket.addOverflow(first, -1);
    }
    listener.removed(index.slot(bucket, i), key);
    return place;
  }
}
