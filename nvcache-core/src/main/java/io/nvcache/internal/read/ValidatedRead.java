// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.control.MissReason;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.MediumSpace;

/**
 * The protocol of every read of an entry: find it, take something from it, and only then ask
 * whether it is still unchanged. What a read takes is up to its subclass: a copy of the bytes, a
 * reference of their space, or the length alone.
 *
 * <p><b>How a read is safe without a lock.</b> A read (1) asks the file table for the file's
 * number, (2) finds the entry and remembers its bucket's version, (3) takes what it wants, and then
 * checks that (4) the number is still the file's and that (5) the version is still unchanged. While
 * an entry is in the index, its number has one owner and its space one block. So when the version
 * is unchanged, the owner that (4) saw is the one whose block was read. Otherwise the read undoes
 * what it took and starts over; after {@value #MAX_ATTEMPTS} attempts it is a miss.
 *
 * <p><b>Orderings.</b> The version is read with acquire before anything of the entry. All that was
 * taken is read before the version is read again: a load fence separates them. (4) may fall
 * anywhere between the two. A reference is taken by a compare-and-swap, which a load fence alone
 * would let the second read of the version overtake on processors that are not x86; therefore that
 * read is volatile, as is a read of the references by a writer that has changed the version.
 *
 * <p><b>Speed.</b> Subclasses are final, and callers know them by their own types, so that the
 * compiler sees which {@link #take} a caller means and inlines it. {@link #read} has less than 325
 * bytes of bytecode, above which HotSpot inlines no method. A read allocates nothing by itself.
 *
 * @param <T> what the caller passes through: where to put what was taken
 */
public abstract class ValidatedRead<T> {
  static final int MAX_ATTEMPTS = 8;

  private final BlockIndex index;
  private final FileTable files;
  private final LocationCodec locations;
  private final MediumSpace space;

  ValidatedRead(BlockTables tables) {
    this.index = tables.index();
    this.files = tables.files();
    this.locations = tables.locations();
    this.space = tables.space();
  }

  /**
   * Reads a block's entry.
   *
   * @param from passed to {@link #take}
   * @return what {@link #accept} or {@link #missed} returned
   */
  final int read(long fileId, long offset, int from, T target, int stripe) {
    int segment = BucketLayout.segment(offset);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      int drops = files.drops();
      int number = files.find(fileId, segment);
      if (number == FileTable.NONE) {
        return missed(MissReason.NOT_CACHED, stripe);
      }
      long hash = index.hash(BucketLayout.key(number, offset));
      long bucket = index.firstBucket(hash);
      int version = Bucket.versionAcquire(bucket);
      int i = Bucket.find(bucket, hash);
      if (i < 0 || Bucket.isLocked(version)) {
        long found = index.findBeyond(bucket, version, hash);
        int slot = BlockIndex.slot(found);
        if (slot < 0) {
          return missed(reason(found), stripe);
        }
        bucket = index.bucketOf(slot);
        i = BlockIndex.inBucket(slot);
        version = BlockIndex.version(found);
      }
      int slot = index.slot(bucket, i);
      long location = Bucket.location(bucket, i);
      int length = locations.slotBytes(location) - Bucket.slack(bucket, i);
      if (!space.holds(location, length)) {
        continue; // Torn: the entry changed while it was read.
      }
      int taken = take(slot, location, length, from, target);
      if (files.isStill(number, fileId, segment, drops) && Bucket.isUnchanged(bucket, version)) {
        return accept(taken, slot, location, length, from, target, stripe);
      }
      undo(taken, location, stripe);
    }
    return missed(MissReason.CONTENDED, stripe);
  }

  private static MissReason reason(long found) {
    return found == BlockIndex.NOT_FOUND ? MissReason.NOT_CACHED : MissReason.CONTENDED;
  }

  /**
   * Takes what the read wants, of an entry that may be changing: what is taken means something only
   * to {@link #accept}.
   *
   * @return what the subclass likes; negative if nothing was taken
   */
  abstract int take(int slot, long location, int length, int from, T target);

  /**
   * Gives back what was taken of an entry that has changed. By default there is nothing to give
   * back.
   */
  void undo(int taken, long location, int stripe) {}

  /** Returns the read's result: the entry was unchanged while {@code taken} was taken. */
  abstract int accept(
      int taken, int slot, long location, int length, int from, T target, int stripe);

  /** Returns the result of a read that found no entry. */
  abstract int missed(MissReason reason, int stripe);
}
