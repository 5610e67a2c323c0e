// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import io.nvcache.DebugCheck;
import java.util.List;

/**
 * A snapshot of a cache's state, and of its medium's failures. A cache whose medium fails
 * persistently, or has been inside a call for too long, takes itself out of service: lookups miss
 * and offers are refused without asking the medium, invalidations are carried out. It comes back
 * after a back-off, or by {@link CacheControl#returnToService}.
 *
 * <p>The library makes these. A later version may add methods, all with defaults.
 */
public interface CacheHealth {
  /** Returns what the cache is at. */
  State state();

  /**
   * Returns why the cache is out of service or bypassing, with the setting that would change that,
   * if one would; empty while it serves.
   */
  String reason();

  /** Returns how often it went out of service. */
  default long outages() {
    return 0;
  }

  /** Returns the number of lookups that missed because of that. */
  default long refusedLookups() {
    return 0;
  }

  /**
   * Returns the number of calls that had been inside the cache for too long when it last looked.
   */
  default long stuckCalls() {
    return 0;
  }

  /** Returns the number of reads whose bytes were not those written. */
  default long checksumFailures() {
    return 0;
  }

  /** Returns the number of blocks taken out because of that. */
  default long quarantinedBlocks() {
    return 0;
  }

  /** Returns the number of bytes of those blocks, not of the space withheld, which is bounded. */
  default long quarantinedBytes() {
    return 0;
  }

  /**
   * Returns the number of entries of the index that can't be, found by {@link
   * DebugCheck#CHECK_INDEX}.
   */
  default long indexFaults() {
    return 0;
  }

  /** Returns the number of writes to free space, found by {@link DebugCheck#POISON_FREED}. */
  default long spaceFaults() {
    return 0;
  }

  /**
   * Returns the number of pins not given back, if {@link DebugCheck#TRACK_LEASES} counts them; else
   * 0.
   */
  default long openPins() {
    return 0;
  }

  /**
   * Returns the seconds since a round of the background work last completed, on a thread of the
   * cache or of its owner; rarely more than 1 or 2 while all is well.
   */
  default long secondsSinceMaintenance() {
    return 0;
  }

  /** Returns the drives that the cache lies on, lost ones included; none if it lies on one. */
  default List<DriveHealth> drives() {
    return List.of();
  }

  /** What a cache can be at. */
  enum State {
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

  /** Returns whether the medium is asked. */
  default boolean inService() {
    return state() != State.OUT_OF_SERVICE;
  }
}
