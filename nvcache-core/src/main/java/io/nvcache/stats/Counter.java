// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.MissReason;

/** What is counted, each with its own place in every stripe of {@link StripedCounters}. */
@SuppressWarnings("EnumOrdinal") // Array places in this process only; any order will do.
public enum Counter {
  /** Lookups begun. */
  LOOKUPS,
  /** Lookups and hits of parts of a block that was being read in parts already. */
  CONTINUED_LOOKUPS,
  CONTINUED_HITS,
  /** Lookups ended with the block. */
  HITS,
  /** Lookups ended without it. */
  MISSES,
  /** Each miss under its reason. */
  MISSES_NOT_CACHED,
  MISSES_PIN_REFUSED,
  MISSES_NO_DIRECT_MEMORY,
  MISSES_MEDIUM_FAILED,
  MISSES_DRIVE_FAILED,
  MISSES_INVALID_CALL,
  MISSES_CLOSED,
  /** Lookups that were timed and found their block, and loads of blocks that were missed. */
  TIMED_HITS,
  TIMED_HIT_NANOS,
  TIMED_LOADS,
  TIMED_LOAD_NANOS,
  /** Bytes handed out by hits. */
  HIT_BYTES,
  /** Bytes pinned, less those given back by the thread that pinned them. */
  PINNED_BYTES,
  /** Pinned bytes given back by other threads. */
  UNPINNED_ELSEWHERE_BYTES,
  /** Pins refused; some lookups got a copy instead. */
  REFUSED_PINS,
  MISSES_CONTENDED,
  /** Calls other than lookups begun, and ended: the difference is how many run. */
  CALLS_BEGUN,
  CALLS_ENDED,
  /** 1 while the stripe's owner is in an eviction policy's part of an insertion or a removal. */
  SLOT_EVENTS,
  ADMITTED_BYTES,
  EVICTIONS,
  DISPLACEMENTS,
  REBALANCINGS,
  EVICTED_BYTES,
  INVALIDATIONS,
  INVALIDATED_BYTES,
  DEFERRED_EVICTIONS,
  /** Bytes of important blocks that came into their share, less those that left it. */
  IMPORTANT_BYTES,
  IMPORTANT_SPARED,
  IMPORTANT_DEMOTED,
  /** Blocks written once more, since their regions were reclaimed. */
  REINSERTIONS,
  REINSERTED_BYTES,
  /** Blocks of an earlier cache that came into the index. */
  RESTORED,
  RESTORED_BYTES,
  /** Free regions that the medium has discarded. */
  DISCARDED_REGIONS,
  DISCARDED_BYTES,
  DISCARD_FAILURES,
  /** Bytes read from the medium in vain: the block changed while it was copied. */
  TORN_READ_BYTES,
  MEDIUM_WRITTEN_BYTES,
  /** The same in whole units of the device. */
  DEVICE_WRITTEN_BYTES,
  /** Bytes written for blocks that were not admitted after all. */
  WASTED_BYTES,
  MEDIUM_FAILURES,
  /** Reads whose bytes were not those written. */
  MISSES_CORRUPT,
  QUARANTINES,
  QUARANTINED_BYTES,
  /** Blocks that were on a drive that failed, or is lost, while others serve. */
  DRIVE_LOSSES,
  DRIVE_LOST_BYTES,
  /** Lookups that missed because the medium was out of service. */
  MISSES_OUT_OF_SERVICE,
  OFFERS_ADMITTED,
  OFFERS_ALREADY_CACHED,
  OFFERS_BYPASSED_SMALL,
  OFFERS_BYPASSED_OVERHEAD,
  OFFERS_BYPASSED_WRITE_LIMIT,
  OFFERS_NOT_WORTH_IT,
  OFFERS_TOO_LARGE,
  OFFERS_NO_SPACE,
  OFFERS_MEDIUM_BUSY,
  OFFERS_MEDIUM_FAILED,
  OFFERS_OUT_OF_SERVICE,
  OFFERS_CLOSED,
  FROM_READ,
  FROM_SCAN,
  FROM_PREFETCH,
  FROM_FLUSH,
  FROM_COMPACTION,
  /** Lookups turned away before they began, since the cache was closed. */
  LATE_LOOKUPS,
  /** Reads of rewrites, which are not lookups. */
  REWRITE_HITS,
  REWRITE_MISSES,
  REWRITE_HIT_BYTES,
  /** Output blocks of rewrites that admission wanted and that could not be read back. */
  CARRIED_UNREADABLE,
  /** Hot ones that found the room taken that the inputs left. */
  CARRIED_NO_ROOM,
  /** Hot ones that were not asked for, since the carrying ended before. */
  CARRIED_UNASKED,
  CARRIED_ADMITTED,
  CARRIED_ALREADY_CACHED,
  CARRIED_BYPASSED_SMALL,
  CARRIED_BYPASSED_OVERHEAD,
  CARRIED_BYPASSED_WRITE_LIMIT,
  CARRIED_NOT_WORTH_IT,
  CARRIED_TOO_LARGE,
  CARRIED_NO_SPACE,
  CARRIED_MEDIUM_BUSY,
  CARRIED_MEDIUM_FAILED,
  CARRIED_OUT_OF_SERVICE,
  CARRIED_CLOSED;

  private static final Counter[] BY_REASON = new Counter[MissReason.values().length];
  private static final Counter[] BY_RESULT = new Counter[OfferResult.values().length];
  private static final Counter[] BY_CARRIED = new Counter[OfferResult.values().length];
  private static final Counter[] BY_SOURCE = new Counter[Source.values().length];

  static {
    for (MissReason reason : MissReason.values()) {
      BY_REASON[reason.ordinal()] = valueOf("MISSES_" + reason.name());
    }
    for (OfferResult result : OfferResult.values()) {
      BY_RESULT[result.ordinal()] = valueOf("OFFERS_" + result.name());
      BY_CARRIED[result.ordinal()] = valueOf("CARRIED_" + result.name());
    }
    for (Source source : Source.values()) {
      BY_SOURCE[source.ordinal()] = valueOf("FROM_" + source.name());
    }
  }

  /** Returns the counter of misses for this reason. */
  public static Counter of(MissReason reason) {
    return BY_REASON[reason.ordinal()];
  }

  /** Returns the counter of offers with this outcome. */
  public static Counter of(OfferResult result) {
    return BY_RESULT[result.ordinal()];
  }

  /** Returns the counter of output blocks of rewrites that were offered with this outcome. */
  public static Counter ofCarried(OfferResult result) {
    return BY_CARRIED[result.ordinal()];
  }

  /** Returns the counter of offers from this source. */
  public static Counter of(Source source) {
    return BY_SOURCE[source.ordinal()];
  }
}
