// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.VictimPricing;
import io.nvcache.background.Ending;
import io.nvcache.internal.read.CopiedPins;
import io.nvcache.internal.read.Lookups;
import io.nvcache.internal.read.PinReads;
import io.nvcache.internal.read.PinnedMedium;
import io.nvcache.internal.remove.FileIdentityHooks;
import io.nvcache.internal.space.BlockStore;
import io.nvcache.internal.space.BlockTables;
import java.util.List;

/**
 * The way in which a cache places its blocks: makes the parts that know of slots, or of regions.
 */
interface Shape {
  /** Returns the price of room for admission. */
  VictimPricing pricing();

  /** Returns where blocks are. */
  BlockTables tables();

  /** Makes what puts blocks there. Called once. */
  StoreParts store(EngineParts parts);

  /** Makes what pins blocks. Called once. */
  PinReads pinReads(EngineParts parts, Lookups lookups, PinnedMedium medium, CopiedPins copied);

  /**
   * A store, and what belongs to it.
   *
   * @param identities hears of files' identities
   * @param start begins the background work
   * @param background work to be ended, in this order
   * @param companions are closed while calls may be inside
   * @param buffers are closed when no call is inside any more
   */
  record StoreParts(
      BlockStore store,
      FileIdentityHooks identities,
      Runnable start,
      List<Ending> background,
      List<AutoCloseable> companions,
      List<AutoCloseable> buffers) {
    /** A store that needs nothing else. */
    static StoreParts of(BlockStore store) {
      return new StoreParts(
          store, FileIdentityHooks.NONE, () -> {}, List.of(), List.of(), List.of());
    }
  }
}
