// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import io.nvcache.OfferResult;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;

/**
 * The management of a {@link io.nvcache.BlockCache}, for operators and hosts; the calls on blocks
 * are in the cache itself. All methods may be called by any thread at any time, also once the cache
 * is closed.
 *
 * <p>Caches that keep no such account, or can't do what a method says, leave the default in place.
 * A later version may add methods, all with defaults.
 */
public interface CacheControl {
  /** Returns the thresholds that may be changed while the cache runs. */
  LiveSettings settings();

  /** Returns the files that the store serves, which the small-data-set bypass reads. */
  DataSet dataSet();

  /**
   * Returns what other sizes and policies would do with this cache's lookups; off until started.
   */
  default Shadows shadows() {
    return Shadows.NONE;
  }

  /** Returns the tuning of the overhead target; off until started. */
  default Tuning tuning() {
    return Tuning.NONE;
  }

  /**
   * Returns whether the cache serves, bypasses itself or is out of service, with the reason, and
   * the failures of its medium.
   */
  default CacheHealth health() {
    return Unwatched.INSTANCE;
  }

  /** Returns the states that the cache is in now, each with its reason. */
  Map<Condition, String> conditions();

  /**
   * Returns how many blocks {@link io.nvcache.BlockCache#getAll} reads at the same time; 1 if a
   * batch is no faster than one lookup after another, as with blocks in memory. Does not change.
   */
  default int blocksAtOnce() {
    return 1;
  }

  /** Returns in words what the blocks lie on; empty if the cache does not say. */
  default String medium() {
    return "";
  }

  /**
   * Returns the counters of {@link io.nvcache.BlockCache#stats} with a reason for every miss,
   * refusal and removal, ready to be checked.
   */
  ReasonLedger ledger();

  /** Returns what became of the blocks that an earlier cache left on the medium. */
  default RestoreReport restore() {
    return RestoreReport.NONE;
  }

  /**
   * Takes the cache out of service until {@link #returnToService}: lookups miss, offers answer
   * {@link OfferResult#OUT_OF_SERVICE}, invalidations are carried out. Calls that are inside
   * finish.
   *
   * @param reason for the log and for {@link #health}
   * @throws IllegalArgumentException if the reason is blank
   * @throws UnsupportedOperationException if this cache can't
   */
  default void takeOutOfService(String reason) {
    throw new UnsupportedOperationException(this + " can't be taken out of service; close it");
  }

  /**
   * Ends what took the cache out of service, its own judgement or {@link #takeOutOfService},
   * without waiting for the back-off. Does nothing to a cache in service.
   */
  default void returnToService() {}

  /** Adds a listener of all changes of state from now on. */
  void addListener(CacheListener listener);

  /** Removes a listener. */
  void removeListener(CacheListener listener);

  /**
   * Tells the cache that its store has files in a directory. If they lie on the drive of the
   * medium, that is logged once, and is part of the reason of {@link Condition#NO_GAIN} if that
   * begins. Does nothing where the medium is memory, or the system does not show its drives.
   *
   * @param directory need not exist yet
   */
  default void addStoreDirectory(Path directory) {}

  /**
   * Tells the cache that its host has measured no gain, such as that its own reads are as fast as
   * hits: {@link Condition#NO_GAIN} begins, and is logged once.
   *
   * @param reason for the log and for {@link #conditions}
   */
  default void reportNoGain(String reason) {}

  /**
   * Registers a resource to close with the cache, such as what shows it elsewhere; closes it at
   * once if the cache is closed already. What it throws is logged and goes no further.
   *
   * @param companion held strongly until then; should hold the cache weakly, if at all
   */
  void addCompanion(AutoCloseable companion);

  /** Removes a companion, which then stays open when the cache is closed. */
  void removeCompanion(AutoCloseable companion);

  /**
   * Walks over the blocks that are cached, in no order; see {@link BlockWalk}.
   *
   * @throws UnsupportedOperationException if this cache can't list its blocks
   */
  default BlockWalk walk() {
    throw new UnsupportedOperationException(getClass().getName() + " can't list its blocks");
  }

  /**
   * Returns how many blocks of a file are cached, without walking over them.
   *
   * @param fileId the file's incarnation
   * @throws UnsupportedOperationException if this cache keeps no such count
   */
  default long countBlocks(long fileId) {
    throw new UnsupportedOperationException(getClass().getName() + " does not count by file");
  }

  /**
   * Tells whether a block is cached, and copies its first bytes to {@code dst} at its position, as
   * many as {@code dst} has room for and the block has, and advances that. Is no lookup: it marks
   * no block as used, takes no part in the overhead budget, and is not counted. For those who want
   * to know what need not be read ahead.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param dst a writable buffer. Without room, the call reads nothing of the medium: it says what
   *     the index says, and a lookup may yet find that the block can't be read
   * @return the block's whole length in bytes; {@link io.nvcache.BlockCache#MISS} if it is not
   *     cached, can't be read, or is not what was written, by its checksum, or if the cache can't
   *     tell. What lies between position and limit may have been overwritten then
   * @throws IllegalArgumentException if {@code offset} is negative
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   */
  int peek(long fileId, long offset, ByteBuffer dst);

  /**
   * Returns whether the index has a block, by a {@link #peek} without room: reads nothing of the
   * medium, is not a lookup and is not counted.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @throws IllegalArgumentException if {@code offset} is negative
   */
  default boolean isCached(long fileId, long offset) {
    return peek(fileId, offset, ByteBuffer.allocate(0)) >= 0;
  }

  /**
   * Does the background work that is due, on the calling thread: reclaims the blocks of forgotten
   * files, makes room for block sizes that find none, lets the eviction policy sweep. Needed only
   * by caches {@linkplain io.nvcache.BlockCacheBuilder#maintainedByCaller maintained by their
   * caller}; harmless on others.
   */
  default void maintain() {}
}
