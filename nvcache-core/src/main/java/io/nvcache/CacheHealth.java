// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/**
 * A snapshot of how a cache fares with its medium. A cache whose medium fails persistently, or has
 * been inside a call for too long, takes itself out of service: lookups miss and offers are refused
 * without asking the medium, invalidations are carried out. It comes back after a back-off, or when
 * told ({@link BlockCache#returnToService}).
 *
 * @param inService whether the medium is asked
 * @param reason why the cache is out of service; empty if it is not
 * @param outages how often it went out of service
 * @param refusedLookups lookups that missed because of that
 * @param stuckCalls calls that had been inside the cache for too long when it last looked
 * @param checksumFailures reads whose bytes were not those written
 * @param quarantinedBlocks blocks taken out because of that
 * @param quarantinedBytes bytes of those blocks, not of the space withheld, which is bounded
 * @param indexFaults entries of the index that can't be, found by {@link DebugCheck#CHECK_INDEX}
 * @param spaceFaults writes to free space, found by {@link DebugCheck#POISON_FREED}
 * @param openLeases leases not given back, if {@link DebugCheck#TRACK_LEASES} counts them; else 0
 */
public record CacheHealth(
    boolean inService,
    String reason,
    long outages,
    long refusedLookups,
    long stuckCalls,
    long checksumFailures,
    long quarantinedBlocks,
    long quarantinedBytes,
    long indexFaults,
    long spaceFaults,
    long openLeases) {

  /** Of a cache that keeps no such account. */
  public static final CacheHealth UNWATCHED = new CacheHealth(true, "", 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
