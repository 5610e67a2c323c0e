// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The outcome of a warm restart: blocks that an earlier cache left on the medium.
 *
 * @param state how far it is
 * @param reason why the cache began cold; empty if it did not
 * @param regions the regions of the medium
 * @param restoredRegions the regions whose blocks were entered into the index
 * @param restoredBlocks blocks entered, those that have left since included
 * @param restoredBytes bytes of these blocks
 * @param lostRegions regions that were not restored, by reason; none of 0
 * @param lostBlocks blocks of restored regions that were not, by reason; none of 0
 * @param took from the beginning until now, or until the end
 */
public record RestoreReport(
    State state,
    String reason,
    long regions,
    long restoredRegions,
    long restoredBlocks,
    long restoredBytes,
    Map<RestoreLoss, Long> lostRegions,
    Map<RestoreLoss, Long> lostBlocks,
    Duration took) {
  /** The report of a cache that does not restore. */
  public static final RestoreReport NONE =
      new RestoreReport(State.OFF, "", 0, 0, 0, 0, Map.of(), Map.of(), Duration.ZERO);

  /** The progress of restoring. */
  public enum State {
    /** The cache does not keep blocks beyond its life. */
    OFF,
    /** There was nothing to restore, or nothing that may be trusted. */
    COLD,
    /** Regions are restored while the cache serves. */
    RESTORING,
    /** All regions have been dealt with. */
    RESTORED
  }

  /** Makes a report with copies of the maps. */
  public RestoreReport {
    lostRegions = Map.copyOf(lostRegions);
    lostBlocks = Map.copyOf(lostBlocks);
  }

  /** Returns one line for logs. */
  @Override
  public String toString() {
    return switch (state) {
      case OFF -> "off";
      case COLD -> "cold: " + reason;
      case RESTORING, RESTORED ->
          (state == State.RESTORED ? "restored " : "restoring: ")
              + restoredBlocks
              + " blocks, "
              + restoredBytes
              + " bytes, of "
              + restoredRegions
              + " of "
              + regions
              + " regions in "
              + took.toMillis()
              + " ms; regions lost "
              + new TreeMap<>(lostRegions)
              + ", blocks lost "
              + new TreeMap<>(lostBlocks);
    };
  }
}
