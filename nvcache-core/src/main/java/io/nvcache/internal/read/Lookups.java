// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.MissReason;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.space.Allocator;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.Space;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;

/**
 * Finds blocks and copies them out.
 *
 * <p><b>How a hit is safe without a lock.</b> A lookup (1) asks the file table for the file's
 * number, (2) finds the entry and remembers its bucket's version, (3) copies the bytes, and then
 * checks (4) that the number is still the file's and (5), last, that the version still stands.
 * While an entry is in the index, its number has one owner and its space one block; so when the
 * version stands, the owner that (4) saw is the one whose block was copied. Otherwise the lookup
 * starts over, and after {@value #MAX_ATTEMPTS} attempts is a miss.
 *
 * <p>Counts why it missed, but neither lookups nor hits.
 */
public final class Lookups {
  static final int MAX_ATTEMPTS = 8;

  private final StripedCounters counters;
  private final BlockIndex index;
  private final FileTable files;
  private final Allocator allocator;
  private final Space space;
  private final GuardedEviction eviction;
  private final BlockReads reads;
  private final Failures mediumFailures;

  public Lookups(
      BlockTables tables,
      GuardedEviction eviction,
      StripedCounters counters,
      BlockReads reads,
      Failures mediumFailures) {
    this.counters = counters;
    this.index = tables.index();
    this.files = tables.files();
    this.allocator = tables.allocator();
    this.space = tables.space();
    this.eviction = eviction;
    this.reads = reads;
    this.mediumFailures = mediumFailures;
  }

  /**
   * Copies a block, or a part of it, and moves the buffer's position by as much.
   *
   * @param from the block's byte to begin with, or {@link BlockReads#WHOLE}
   * @return how many bytes, or {@link BlockCache#MISS}
   */
  int copy(long fileId, long offset, int from, ByteBuffer dst, int stripe) {
    int segment = BucketLayout.segment(offset);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      int drops = files.drops();
      int number = files.find(fileId, segment);
      if (number == FileTable.NONE) {
        return missed(stripe, MissReason.NOT_CACHED);
      }
      long hash = index.hash(BucketLayout.key(number, offset));
      long bucket = index.firstBucket(hash);
      int version = Bucket.versionAcquire(bucket);
      int i = Bucket.find(bucket, hash);
      if (i < 0 || Bucket.isLocked(version)) {
        long found = index.findBeyond(bucket, version, hash);
        int slot = BlockIndex.slot(found);
        if (slot < 0) {
          if (found == BlockIndex.NOT_FOUND) {
            return missed(stripe, MissReason.NOT_CACHED);
          }
          break;
        }
        bucket = index.bucketOf(slot);
        i = BlockIndex.inBucket(slot);
        version = BlockIndex.version(found);
      }
      int slot = index.slot(bucket, i);
      long location = Bucket.location(bucket, i);
      int length = allocator.slotBytes(location) - Bucket.slack(bucket, i);
      if (!space.holds(location, length)) {
        continue; // Torn: the entry changed while it was read.
      }
      int copied = reads.copy(slot, location, length, from, dst);
      if (files.isStill(number, fileId, segment, drops) && Bucket.isUnchanged(bucket, version)) {
        if (copied < 0) {
          RuntimeException refusal = BlockReads.refusal(copied, from, length);
          if (refusal != null) {
            missed(stripe, MissReason.CALL_REFUSED);
            throw refusal;
          }
          mediumFailures.readFailed(copied, slot, location, stripe);
          return BlockCache.MISS;
        }
        touch(slot);
        dst.position(dst.position() + copied);
        return copied;
      }
      if (copied > 0) {
        counters.add(stripe, Counter.TORN_READ_BYTES, copied);
      }
    }
    return missed(stripe, MissReason.CONTENDED);
  }

  /** Every miss has its reason counted where it is known. */
  int missed(int stripe, MissReason reason) {
    counters.add(stripe, Counter.of(reason), 1);
    return BlockCache.MISS;
  }

  /** Tells the policy of a hit. */
  void touch(int slot) {
    eviction.onHit(slot);
  }
}
