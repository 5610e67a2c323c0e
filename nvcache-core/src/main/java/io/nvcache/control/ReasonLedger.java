// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A cache's accounts: every lookup, offer, block and byte by its outcome. Each figure is counted
 * where it happens, so that sums that should agree can be {@linkplain #contradictions checked}.
 * They do once the counted calls have returned. Only the {@linkplain CacheStats#blockBytes bytes
 * that live} are the remainder of others; they are compared with the space that is in use.
 *
 * <p>The library makes these. A later version may add methods.
 */
public interface ReasonLedger {
  /** Returns the counters the entries belong to. */
  CacheStats stats();

  /** Returns the number of lookups that gave out no block, by reason. */
  Map<MissReason, Long> misses();

  /**
   * Returns the number of bytes written to the medium for blocks that were not admitted after all.
   */
  long wastedBytes();

  /** Returns the number of blocks taken out because the medium changed them. */
  long quarantinedBlocks();

  /** Returns the number of bytes of these blocks. */
  long quarantinedBytes();

  /** Returns the number of blocks that were on one of several drives, which failed or is lost. */
  default long driveLossBlocks() {
    return 0;
  }

  /** Returns the number of bytes of these blocks. */
  default long driveLossBytes() {
    return 0;
  }

  /** Returns the number of blocks in the index now, as the file table counts them. */
  long liveBlocks();

  /** Returns the number of exceptions that policies threw, each of which cost them one decision. */
  long policyFailures();

  /** Returns the number of blocks that {@linkplain io.nvcache.Rewrite rewrites} read here. */
  long rewriteHits();

  /** Returns the number of blocks that rewrites asked for and had to read elsewhere. */
  long rewriteMisses();

  /** Returns the number of output blocks that were wanted and could not be read back. */
  long unreadableOutputs();

  /** Returns the number of hot output blocks that found the room taken that the inputs left. */
  long roomlessOutputs();

  /**
   * Returns the number of hot output blocks that were not asked for: their file was gone, the cache
   * refused too many others, or the call was interrupted.
   */
  long unaskedOutputs();

  /**
   * Returns the number of output blocks of rewrites that were offered with their heat, each once,
   * by the last outcome. Each try is also among the {@linkplain CacheStats#offers offers} of the
   * cache.
   */
  Map<OfferResult, Long> carried();

  /** Returns the number of misses for this reason. */
  default long misses(MissReason reason) {
    return misses().getOrDefault(reason, 0L);
  }

  /**
   * Returns all entries by name, in the form {@code account.reason}: {@code lookup.hit}, {@code
   * lookup.miss.contended}, {@code offer.bypassed_small}, {@code removal.displaced}, {@code
   * bytes.evicted}, {@code rewrite.hit}, {@code carried.admitted} and so on.
   */
  Map<String, Long> entries();

  /** Returns the sums that do not agree, each in words; empty when the books balance. */
  default List<String> contradictions() {
    List<String> found = new ArrayList<>();
    compare(found, "lookups", stats().lookups(), "hits + misses", stats().hits() + sum(misses()));
    compare(
        found,
        "offers by source",
        sum(stats().offersBySource()),
        "offers by outcome",
        sum(stats().offers()));
    compare(
        found,
        "blocks admitted + restored",
        stats().offers(OfferResult.ADMITTED) + stats().restoredBlocks(),
        "blocks live + removed",
        liveBlocks()
            + stats().evictions()
            + stats().displacements()
            + stats().rebalancings()
            + stats().invalidations()
            + quarantinedBlocks()
            + driveLossBlocks());
    compare(
        found,
        "bytes written",
        stats().mediumWrittenBytes(),
        "bytes admitted + reinserted + wasted",
        stats().admittedBytes() + stats().reinsertedBytes() + wastedBytes());
    compare(
        found,
        "bytes admitted + restored",
        stats().admittedBytes() + stats().restoredBytes(),
        "bytes live + evicted + invalidated + quarantined + lost with drives",
        stats().blockBytes()
            + stats().evictedBytes()
            + stats().invalidatedBytes()
            + quarantinedBytes()
            + driveLossBytes()); // Unequal where more went than came.
    if (stats().blockBytes() > stats().usedBytes()) {
      found.add(
          "bytes live are " + stats().blockBytes() + ", but bytes used are " + stats().usedBytes());
    }
    return found;
  }

  private static void compare(
      List<String> found, String left, long leftSum, String right, long rightSum) {
    if (leftSum != rightSum) {
      found.add(left + " are " + leftSum + ", but " + right + " are " + rightSum);
    }
  }

  private static long sum(Map<?, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
