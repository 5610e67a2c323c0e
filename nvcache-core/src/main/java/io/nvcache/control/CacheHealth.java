// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import io.nvcache.DebugCheck;

/**
 * A snapshot of what a cache is at, and of how it fares with its medium. A cache whose medium fails
 * persistently, or has been inside a call for too long, takes itself out of service: lookups miss
 * and offers are refused without asking the medium, invalidations are carried out. It comes back
 * after a back-off, or by {@link CacheControl#returnToService}.
 *
 * @param state what the cache is at
 * @param reason why the cache is out of service or bypassing, with the setting that would change
 *     that, if one would; empty while it serves
 * @param outages how often it went out of service
 * @param refusedLookups lookups that missed because of that
 * @param stuckCalls calls that had been inside the cache for too long when it last looked
 * @param checksumFailures reads whose bytes were not those written
 * @param quarantinedBlocks blocks taken out because of that
 * @param quarantinedBytes bytes of those blocks, not of the space withheld, which is bounded
 * @param indexFaults entries of the index that can't be, found by {@link DebugCheck#CHECK_INDEX}
 * @param spaceFaults writes to free space, found by {@link DebugCheck#POISON_FREED}
 * @param openLeases leases not given back, if {@link DebugCheck#TRACK_LEASES} counts them; else 0
 * @param secondsSinceMaintenance since a round of the background work last ended with all it had to
 *     do, whether a thread of the cache does it or its owner; seldom more than 1 or 2 while all is
 *     well
 */
public record CacheHealth(
    State state,
    String reason,
    long outages,
    long refusedLookups,
    long stuckCalls,
    long checksumFailures,
    long quarantinedBlocks,
    long quarantinedBytes,
    long indexFaults,
    long spaceFaults,
    long openLeases,
    long secondsSinceMaintenance) {

  /** What a cache can be at. */
  public enum State {
    /** Looks blocks up and takes those that admission wants. */
    SERVING,
    /**
     * Looks blocks up, and has taken none of those offered for some seconds, for another reason
     * than that others were worth more: see {@link Condition#BYPASSING}.
     */
    BYPASSING,
    /** The medium is not asked. */
    OUT_OF_SERVICE
  }

  /** Of a cache that keeps no such account. */
  public static final CacheHealth UNWATCHED =
      new CacheHealth(State.SERVING, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Returns whether the medium is asked. */
  public boolean inService() {
    return state != State.OUT_OF_SERVICE;
  }
}
