// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.OfferResult;
import io.nvcache.report.Measurements;
import io.nvcache.trace.replay.TraceGroup.Cell;
import java.util.List;

/** The records of the command {@code trace}; docs/reference/commands.md lists them. */
public final class TraceRecords {
  private TraceRecords() {}

  /** Returns what the groups came to, by labels. */
  public static Measurements of(List<TraceGroup> groups) {
    Measurements all = new Measurements();
    for (TraceGroup group : groups) {
      Measurements ofSize =
          all.with("trace", group.trace()).with("capacity", group.capacity().text());
      Measurements ofBudget = ofSize.with("budget", group.budget().text());
      for (Cell cell : group.cells()) {
        Measurements ofPolicy = ofBudget.with("policy", cell.policy().name());
        add(cell.result(), ofPolicy);
        ReplayResult equal = cell.atEqualWrites();
        if (equal != null) {
          ofPolicy.add("hit_ratio_at_equal_writes", equal.end().hitRatio(), "ratio");
        }
      }
      Bounds bounds = group.bounds();
      if (bounds != null) {
        ofBudget.with("policy", "belady").add("hit_ratio", bounds.belady(), "ratio");
        ofBudget
            .with("policy", "write-bound")
            .add("hit_ratio", bounds.writeBound(), "ratio")
            .add("hits_per_write", bounds.atBound().hitsPerWrite(), "hits")
            .add("written_at_first_lookup", bounds.atBound().writtenAtFirstRatio(), "ratio");
        ofBudget
            .with("policy", TracePolicies.DEFAULT)
            .add("gap_closed", group.gapClosed().orElse(Double.NaN), "ratio");
      }
      ofSize
          .add("capacity_bytes", group.capacityBytes(), "bytes")
          .add("lookups_per_capacity", group.lookupsPerCapacity(), "lookups");
    }
    return all;
  }

  private static void add(ReplayResult result, Measurements to) {
    to.add("hit_ratio", result.end().hitRatio(), "ratio")
        .add("second_half_hit_ratio", result.secondHalfHitRatio(), "ratio")
        .add("writes_per_lookup", result.writesPerLookup(), "ratio")
        .add("peak_window_writes_per_lookup", result.peakWindowWritesPerLookup(), "ratio")
        .add("admitted_blocks", result.end().offers(OfferResult.ADMITTED), "blocks")
        .add("removed_blocks", result.removedBlocks(), "blocks")
        .add("medium_bytes_written", result.end().mediumWrittenBytes(), "bytes")
        .add("fetched_bytes_per_lookup", result.fetchedBytesPerLookup(), "bytes")
        .add("peak_window_fetched_bytes_per_lookup", result.peakFetchedBytesPerLookup(), "bytes")
        .add("fetches_per_lookup", result.requestsPerLookup(), "requests")
        .add("peak_window_fetches_per_lookup", result.peakRequestsPerLookup(), "requests")
        .add("hits_per_write", result.hitsPerWrite(), "hits")
        .add("written_at_first_lookup", result.writtenAtFirstRatio(), "ratio")
        .add("lookups", result.end().lookups(), "lookups")
        .add("metadata_bytes", result.end().metadataBytes(), "bytes");
    int segment = 0;
    for (ReplayResult.Window window : result.segments()) {
      to.with("segment", ++segment).add("segment_hit_ratio", window.hitRatio(), "ratio");
    }
  }
}
