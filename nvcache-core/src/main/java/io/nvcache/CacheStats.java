// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.control.DataSet;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A snapshot of a cache's counters and levels. Counters run from the building of the cache and are
 * exact once the counted calls have returned; a snapshot taken while calls run may catch one
 * between two of its counters.
 *
 * <p>The library makes these. A later version may add methods.
 */
public interface CacheStats {
  /** Returns the number of calls of {@code get} and {@code pin}. */
  long lookups();

  /** Returns the number of lookups that found their block. */
  long hits();

  /** Returns the number of bytes of the blocks found. */
  long hitBytes();

  /**
   * Returns the number of pins refused, or given as copies on the heap, because pins hold all they
   * may or the JVM had no direct memory.
   */
  long refusedPins();

  /** Returns the number of lookups answered with a miss because writers kept the bucket busy. */
  long contendedLookups();

  /** Returns the number of blocks offered, by outcome. */
  Map<OfferResult, Long> offers();

  /** Returns the number of blocks offered, by source. */
  Map<Source, Long> offersBySource();

  /** Returns the number of bytes of the admitted blocks. */
  long admittedBytes();

  /** Returns the number of blocks evicted by the policy to make room. */
  long evictions();

  /** Returns the number of blocks evicted because the index had no slot for a new one. */
  long displacements();

  /** Returns the number of blocks evicted to give their extent to another size class. */
  long rebalancings();

  /** Returns the number of bytes of all blocks evicted, displaced or rebalanced away. */
  long evictedBytes();

  /** Returns the number of blocks forgotten on the caller's word, singly or with their file. */
  long invalidations();

  /** Returns the number of bytes of these blocks. */
  long invalidatedBytes();

  /** Returns the number of evictions not done because overhead was over the target. */
  long deferredEvictions();

  /**
   * Returns the bytes of the cached blocks that eviction passes over, since they are {@linkplain
   * BlockRank#IMPORTANT important}; each rounded up by 1/63 of the longest block's length at most.
   */
  long importantBytes();

  /** Returns how often such a block was passed over as a victim. */
  long importantSpared();

  /** Returns how many of them became ordinary, past their share. */
  long importantDemoted();

  /** Returns the number of bytes read from the medium. */
  long mediumReadBytes();

  /** Returns the number of bytes written to the medium. */
  long mediumWrittenBytes();

  /**
   * Returns the number of bytes that the medium's device wrote for them: whole units of it, by
   * which its endurance is used up. What a drive writes beyond that to make room is not known.
   */
  long deviceWrittenBytes();

  /**
   * Returns the number of cached blocks that were written once more, since the regions that they
   * lay in were reclaimed.
   */
  long reinsertions();

  /** Returns the number of bytes of these blocks. */
  long reinsertedBytes();

  /** Returns the number of blocks restored from what an earlier cache left on the medium. */
  default long restoredBlocks() {
    return 0;
  }

  /** Returns the number of bytes of these blocks. */
  default long restoredBytes() {
    return 0;
  }

  /** Returns the number of free regions that the medium has discarded. */
  default long discardedRegions() {
    return 0;
  }

  /** Returns the number of bytes of these regions, without their headers. */
  default long discardedBytes() {
    return 0;
  }

  /** Returns the number of discards that failed: after the first, no more are tried. */
  default long discardFailures() {
    return 0;
  }

  /** Returns the number of reads and writes that the medium failed. */
  long mediumFailures();

  /** Returns the number of blocks that can be found now. */
  long blocks();

  /**
   * Returns the number of bytes of the blocks cached now; blocks of an invalidated file count until
   * they are reclaimed, which takes moments.
   */
  long blockBytes();

  /** Returns the number of bytes of the medium in use now, rounding included. */
  long usedBytes();

  /** Returns the number of bytes of the medium. */
  long capacityBytes();

  /** Returns the number of bytes held by pins now. */
  long pinnedBytes();

  /** Returns the number of bytes of DRAM taken by index, allocator, policies and buffers. */
  long metadataBytes();

  /**
   * Returns the number of medium writes per lookup as the admission policy sees it, as a ratio;
   * empty when the policy keeps no such ratio.
   */
  OptionalDouble overhead();

  /** Returns the number of bytes of the data set, as {@link DataSet#bytes} has it. */
  OptionalLong dataSetBytes();

  /**
   * Returns the order in which this JVM copies blocks, in words: in one pass, or the directions and
   * lengths that it copies in streams. It is measured once in a JVM, so that it can change in the
   * first seconds after the first cache was built.
   */
  String copyOrder();

  /**
   * Returns the number of lookups that did not find their block, whatever the reason. Counted where
   * they end, so that it never sinks: lookups under way are neither hits nor misses yet.
   */
  long misses();

  /** Returns the number of hits per lookup; 0 before the first lookup. */
  default double hitRatio() {
    return lookups() == 0 ? 0 : (double) hits() / lookups();
  }

  /** Returns the number of offers with this outcome. */
  default long offers(OfferResult result) {
    return offers().getOrDefault(result, 0L);
  }

  /** Returns the number of offers from this source. */
  default long offers(Source source) {
    return offersBySource().getOrDefault(source, 0L);
  }

  /**
   * Returns the number of bytes that the device wrote for each byte that was admitted or
   * reinserted; 0 before the first.
   */
  default double deviceBytesPerAdmittedByte() {
    long admitted = admittedBytes() + reinsertedBytes();
    return admitted == 0 ? 0 : (double) deviceWrittenBytes() / admitted;
  }

  /** Returns the number of blocks written to the medium per lookup; 0 before the first lookup. */
  default double writesPerLookup() {
    long writes = offers(OfferResult.ADMITTED) + reinsertions();
    return lookups() == 0 ? 0 : (double) writes / lookups();
  }
}
