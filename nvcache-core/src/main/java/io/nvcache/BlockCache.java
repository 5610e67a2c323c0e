// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.control.CacheControl;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A second-level cache of immutable file blocks, kept exactly as they are stored on disk
 * (compressed, encrypted), on a medium slower than DRAM and faster than disk.
 *
 * <p>The cache sits next to a store's block reader and is never a source of truth: the reader asks
 * with {@link #get} or {@link #pin}, on a miss reads the disk and {@linkplain #offer offers} what
 * it read, and tells the cache when a block or a file is gone. Whatever is wrong with the cache or
 * its medium, the answer is a miss.
 *
 * <p><b>Keys.</b> A block is named by {@code (fileId, offset)}. A {@code fileId} names one
 * incarnation of a file and must never be given to another file during the life of the cache
 * ({@link FileIdRegistry} hands out such ids); otherwise blocks of a deleted file could answer for
 * its namesake. The {@code offset} is in bytes from the start of the file and never negative.
 *
 * <p><b>Offers are suggestions.</b> {@link #offer} returns why a block was not taken. A block must
 * not be offered after it was invalidated: an offer that races with the invalidation of the same
 * block has to be ordered by the caller ({@link io.nvcache.tiered.TieredBlockCache} does).
 *
 * <p><b>Threads.</b> All methods may be called by any thread at any time, {@link #close} included.
 * Lookups take no lock. {@link #get} and a {@linkplain #reusablePin pin that moves} allocate
 * nothing. After {@code close}, lookups miss and offers answer {@link OfferResult#CLOSED}; nothing
 * throws.
 *
 * <p>The design follows A. Fedorova et al., "Writes Hurt: Lessons in Cache Design for Optane
 * NVRAM", SoCC 2022.
 */
public interface BlockCache extends AutoCloseable {
  /** What {@link #get} returns when the block is not cached. */
  int MISS = -1;

  /** Starts the configuration of a cache. */
  static BlockCacheBuilder builder() {
    return new BlockCacheBuilder();
  }

  /**
   * Copies a cached block into {@code dst} at its position and advances the position by the block's
   * length.
   *
   * <p>On a miss the position is unchanged; the bytes between position and limit may have been
   * overwritten.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param dst a writable buffer, heap or direct, with room for the whole block
   * @return the block's length in bytes, or {@link #MISS}
   * @throws java.nio.BufferOverflowException if the block is cached and longer than {@code
   *     dst.remaining()}; {@code dst} is unchanged and the block stays cached
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws IllegalArgumentException if {@code offset} is negative
   * @throws InternalError if {@code dst} is a mapping whose file was cut short
   * @throws IllegalStateException if {@code dst} is of an arena that is closed
   */
  int get(long fileId, long offset, ByteBuffer dst);

  /**
   * Copies part of a cached block, from its byte {@code from} to the block's end or until {@code
   * dst} is full. Costs a lookup and the bytes copied, whatever the block's length; counts as a
   * hit, of those bytes.
   *
   * <p>The position of {@code dst} advances by what was copied. On a miss it is unchanged; the
   * bytes between position and limit may have been overwritten.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param from the first byte wanted, counted from the block's first, ≥ 0
   * @param dst a writable buffer, heap or direct
   * @return the number of bytes copied, 0 if the block ends right before {@code from}; or {@link
   *     #MISS}
   * @throws IndexOutOfBoundsException if {@code from} is negative, or the block is cached and
   *     shorter than {@code from}
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws IllegalArgumentException if {@code offset} is negative
   */
  int getRange(long fileId, long offset, int from, ByteBuffer dst);

  /**
   * Copies several blocks, like as many calls of {@link #get}, but waits for the medium once: on
   * flash, several reads at the same time take little longer than one.
   *
   * <p>Each block is looked up, counted and copied as if it were alone, in the order given; the
   * same one may be wanted several times. What {@code get} would throw for one of them is thrown
   * after all others were served, the first of several with the rest suppressed; {@code lengths}
   * has {@link #MISS} for these blocks, and holds for the others.
   *
   * <p>Takes any number of blocks, and reads up to 32 of them, or 1 MiB, at the same time. The
   * default implementation gets one after another, as do the builder's caches on media that are
   * read in place, where there is nothing to wait for.
   *
   * @param count how many blocks; the first so many elements of each array are theirs
   * @param fileIds the files' incarnations
   * @param offsets the blocks' first bytes in the files, ≥ 0
   * @param dsts writable buffers, each with room for its block
   * @param lengths set to the blocks' lengths in bytes, or {@link #MISS}
   * @return how many were found
   * @throws IndexOutOfBoundsException if {@code count} is negative, or an array is shorter; nothing
   *     was looked up
   */
  default int getAll(int count, long[] fileIds, long[] offsets, ByteBuffer[] dsts, int[] lengths) {
    Objects.checkFromIndexSize(0, count, fileIds.length);
    Objects.checkFromIndexSize(0, count, offsets.length);
    Objects.checkFromIndexSize(0, count, dsts.length);
    Objects.checkFromIndexSize(0, count, lengths.length);
    RuntimeException refusal = null;
    int found = 0;
    for (int i = 0; i < count; i++) {
      lengths[i] = MISS;
      try {
        lengths[i] = get(fileIds[i], offsets[i], dsts[i]);
        found += lengths[i] == MISS ? 0 : 1;
      } catch (RuntimeException e) {
        if (refusal == null) {
          refusal = e;
        } else if (refusal != e) {
          refusal.addSuppressed(e);
        }
      }
    }
    if (refusal != null) {
      throw refusal;
    }
    return found;
  }

  /**
   * Pins a cached block without copying it. The block's bytes stay where they are until the pin is
   * {@linkplain PinnedBlock#close closed}, even when the block is evicted or invalidated in
   * between.
   *
   * <p>The bytes that pins may hold are bounded ({@link BlockCacheBuilder#maxPinnedBytes}); past
   * the bound the answer is {@code null}, counted as a refused pin, and the caller should {@link
   * #get} instead.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @return the pin, or {@code null} on a miss or past the bound
   * @throws IllegalArgumentException if {@code offset} is negative
   */
  @Nullable PinnedBlock pin(long fileId, long offset);

  /**
   * Pins a block like {@link #pin}; past the bound of pinned bytes, returns a pin on a copy on the
   * heap, for callers that would rather copy than read the disk. That counts as a refused pin, and
   * as a hit. On a medium that can't be read in place it also returns such a copy while 64 pins
   * hold copies of about that length in direct memory; that counts as a hit only. The default
   * implementation refuses, as {@code pin} does.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @return the pin, or {@code null} on a miss
   * @throws IllegalArgumentException if {@code offset} is negative
   */
  default @Nullable PinnedBlock pinOrCopy(long fileId, long offset) {
    return pin(fileId, offset);
  }

  /**
   * Returns a pin that moves from block to block: readers that go through many blocks need no
   * object for each. The bytes that it holds count as pinned; a move counts as a lookup, like
   * {@link #pinOrCopy}. After {@link #close} every move misses.
   *
   * <p>With the builder's caches, moving it and reading through it allocate nothing, except where
   * it has to copy: that memory it keeps.
   *
   * @return a new pin, on no block
   */
  ReusablePin reusablePin();

  /**
   * Returns a view of a file that is read by many small reads: its cursors read cached blocks where
   * they lie, without a copy, a pin or a search. For files that are offered in blocks of one
   * length, except for the last.
   *
   * <p>While there are views, the memory of a closed cache is freed by the garbage collector, once
   * no view and no cursor is reachable.
   *
   * @param fileId the file's incarnation
   * @param blockBytes the length of its blocks, ≥ 1; longer ones are not found
   * @param lengthBytes the file's length, ≥ 0
   * @return a new view; {@code null} where blocks can't be read in place: on media that are not
   *     plain memory, such as flash and mapped files, where blocks have checksums, and when the
   *     cache is closed. Use {@link #reusablePin} or {@link #get} instead
   * @throws IllegalArgumentException if a length is out of range
   */
  default @Nullable FileView view(long fileId, int blockBytes, long lengthBytes) {
    return null;
  }

  /**
   * Suggests a block for caching; admission decides. The remaining bytes of {@code block} are the
   * block; its position and limit are left as they were, and the buffer may be reused as soon as
   * the method returns.
   *
   * <p>The call copies at most once and never waits for other writers of the medium.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param block the block as stored on disk, at least one byte
   * @param source what brought the block here; admission may treat sources differently
   * @return what became of the offer
   * @throws IllegalArgumentException if {@code offset} is negative or {@code block} is empty
   */
  OfferResult offer(long fileId, long offset, ByteBuffer block, Source source);

  /**
   * Suggests a block whose bytes are costly to lay out: they are asked for only if admission
   * accepts the block, so that a duplicate or a refused block is never laid out.
   *
   * <p>Caches of the {@linkplain #builder builder} hold no lock while the supplier runs. It may
   * take its time, and may call the cache, even close it. Changes in that time show in the result:
   * {@link OfferResult#ALREADY_CACHED} if another call has cached the block.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param lengthBytes the block's length, ≥ 1
   * @param block called at most once, on the calling thread, before the method returns; gives a
   *     buffer with {@code lengthBytes} remaining. What it throws, the method throws; the block is
   *     not cached then
   * @param source what brought the block here
   * @return what became of the offer
   * @throws IllegalArgumentException if {@code offset} is negative, {@code lengthBytes} is not
   *     positive, or the buffer has another number of bytes
   */
  default OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> block, Source source) {
    ByteBuffer bytes = Objects.requireNonNull(block, "block").get();
    if (bytes.remaining() != lengthBytes) {
      throw new IllegalArgumentException(
          "the block has "
              + bytes.remaining()
              + " bytes, but was announced with "
              + lengthBytes
              + "; give as many as announced");
    }
    return offer(fileId, offset, bytes, source);
  }

  /**
   * Suggests a block with a rank. One that is {@link BlockRank#IMPORTANT} is taken before others,
   * within the write budget, and kept while such blocks are within their {@linkplain
   * io.nvcache.control.LiveSettings#setImportantShare share}. The default implementation treats all
   * blocks alike.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param lengthBytes the block's length, ≥ 1
   * @param block as in {@link #offer(long, long, int, Supplier, Source)}
   * @param source what brought the block here
   * @param rank how much it matters beyond its lookups
   * @return what became of the offer
   * @throws IllegalArgumentException as in {@link #offer(long, long, int, Supplier, Source)}
   */
  default OfferResult offer(
      long fileId,
      long offset,
      int lengthBytes,
      Supplier<ByteBuffer> block,
      Source source,
      BlockRank rank) {
    Objects.requireNonNull(rank, "rank");
    return offer(fileId, offset, lengthBytes, block, source);
  }

  /**
   * Begins a rewrite of files into others, such as a compaction, which carries the heat of the
   * blocks that it reads to the blocks that it writes.
   *
   * @return a new rewrite, for one thread at a time
   */
  Rewrite rewrite();

  /**
   * Names a file beyond the life of this cache, so that its blocks are found again by a later cache
   * on the same medium that {@linkplain Restart#WARM restarts warm}, and gives it those that an
   * earlier one left under the same identity. Best called before the file is first looked up;
   * earlier lookups may miss, and blocks that were offered earlier win over those that were left.
   *
   * <p>If another id of this cache has the identity, its blocks pass to this one, under which they
   * are found from now on: a file may be closed and opened again. The other id has no identity
   * then.
   *
   * <p>Holds until {@link #invalidateFile}. {@link #invalidate} of a single block ends it as well:
   * what the file's regions hold can't tell which of its blocks is gone. Caches that don't restart
   * warm do nothing.
   *
   * @param fileId the file's incarnation
   * @param identity what names the file's bytes; see the contract of {@link FileIdentity}
   * @throws IllegalArgumentException if the file has another identity
   */
  default void identify(long fileId, FileIdentity identity) {
    Objects.requireNonNull(identity, "identity");
  }

  /**
   * Forgets one block, because its place in the file was freed or has other bytes now. Writes
   * nothing to the medium, except where the cache restarts warm and the file {@linkplain #identify
   * has a name}.
   *
   * <p><b>There, the block stays forgotten.</b> When this returns, the medium knows that the file's
   * blocks must not be restored: neither a kill nor the loss of power brings them back. So the
   * first invalidation in a named file waits until a page was written and flushed twice; the file
   * then has no identity any more, and the next ones do not wait. If the medium fails or hangs, the
   * call returns, after {@link BlockCacheBuilder#mediumStuckAfter} at the latest, and the cache has
   * the condition {@link io.nvcache.control.Condition#INVALIDATIONS_UNSAVED} until a later try
   * succeeds. A store that replaces bytes under the same name asks {@code control().conditions()}
   * for that one before it continues. Name a file before its blocks are invalidated; nothing can be
   * recorded for a file without an identity.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @return whether the block was cached
   * @throws IllegalArgumentException if {@code offset} is negative
   */
  boolean invalidate(long fileId, long offset);

  /**
   * Forgets every block of a file, because the file is gone, and takes the file out of the
   * {@linkplain CacheControl#dataSet data set}. Takes constant time whatever the number of blocks:
   * they can't be hit from now on, and their space is reclaimed in the background.
   *
   * <p>Writes nothing to the medium. After a warm restart, the file's blocks are found again if a
   * file is {@linkplain #identify named} by the same identity: it has the same bytes, by the
   * contract of {@link FileIdentity}. A file that was created again with other bytes needs another
   * identity.
   *
   * @param fileId the file's incarnation
   */
  void invalidateFile(long fileId);

  /** Returns a snapshot of everything counted since the cache was built. */
  CacheStats stats();

  /**
   * Returns the means by which operators and hosts manage the cache: its settings, health, ledger,
   * shadows and tuning, its listeners, walks over its blocks, and its upkeep. Always the same
   * object.
   */
  CacheControl control();

  /**
   * Ends the cache: running calls finish, later ones miss, the medium's memory is released as soon
   * as no pin holds it. Closing again does nothing, or completes a first call that ended with an
   * {@link OutOfMemoryError}.
   */
  @Override
  void close();
}
