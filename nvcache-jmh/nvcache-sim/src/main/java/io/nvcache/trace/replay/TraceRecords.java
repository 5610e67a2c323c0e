// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.OfferResult;
import io.nvcache.report.JsonRecords.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The records of the command {@code trace}; docs/reference/commands.md lists them. */
public final class TraceRecords {
  private TraceRecords() {}

  /** All records of the groups. */
  public static List<Entry> of(List<TraceGroup> groups) {
    List<Entry> records = new ArrayList<>();
    for (TraceGroup group : groups) {
      for (TraceCell cell : group.cells()) {
        Map<String, String> labels = labels(group, cell.policy().name());
        add(cell.result(), labels, records);
        ReplayResult equal = cell.atEqualWrites();
        if (equal != null) {
          records.add(
              new Entry("hit_ratio_at_equal_writes", labels, equal.end().hitRatio(), "ratio"));
        }
      }
      Bounds bounds = group.bounds();
      if (bounds != null) {
        records.add(bound(group, "belady", bounds.belady()));
        records.add(bound(group, "write-bound", bounds.writeBound()));
        Map<String, String> labels = labels(group, "write-bound");
        Bounds.AtBound at = bounds.atBound();
        records.add(new Entry("hits_per_write", labels, at.hitsPerWrite(), "hits"));
        records.add(
            new Entry("written_at_first_lookup", labels, at.writtenAtFirstRatio(), "ratio"));
        group
            .gapClosed()
            .ifPresent(
                part ->
                    records.add(
                        new Entry(
                            "gap_closed", labels(group, TracePolicies.DEFAULT), part, "ratio")));
      }
      Map<String, String> size =
          Map.of("trace", group.trace(), "capacity", group.capacity().text());
      records.add(new Entry("capacity_bytes", size, group.capacityBytes(), "bytes"));
      records.add(new Entry("lookups_per_capacity", size, group.lookupsPerCapacity(), "lookups"));
    }
    return List.copyOf(records);
  }

  private static Entry bound(TraceGroup group, String name, double hitRatio) {
    return new Entry("hit_ratio", labels(group, name), hitRatio, "ratio");
  }

  private static Map<String, String> labels(TraceGroup group, String policy) {
    return Map.of(
        "trace", group.trace(),
        "policy", policy,
        "capacity", group.capacity().text(),
        "budget", group.budget().text());
  }

  private static void add(ReplayResult result, Map<String, String> labels, List<Entry> records) {
    records.add(new Entry("hit_ratio", labels, result.end().hitRatio(), "ratio"));
    records.add(new Entry("second_half_hit_ratio", labels, result.secondHalfHitRatio(), "ratio"));
    records.add(new Entry("writes_per_lookup", labels, result.writesPerLookup(), "ratio"));
    records.add(
        new Entry(
            "peak_window_writes_per_lookup", labels, result.peakWindowWritesPerLookup(), "ratio"));
    records.add(
        new Entry("admitted_blocks", labels, result.end().offers(OfferResult.ADMITTED), "blocks"));
    records.add(new Entry("removed_blocks", labels, result.removedBlocks(), "blocks"));
    records.add(
        new Entry("medium_bytes_written", labels, result.end().mediumWrittenBytes(), "bytes"));
    records.add(
        new Entry("fetched_bytes_per_lookup", labels, result.fetchedBytesPerLookup(), "bytes"));
    records.add(
        new Entry(
            "peak_window_fetched_bytes_per_lookup",
            labels,
            result.peakFetchedBytesPerLookup(),
            "bytes"));
    records.add(new Entry("fetches_per_lookup", labels, result.requestsPerLookup(), "requests"));
    records.add(
        new Entry(
            "peak_window_fetches_per_lookup", labels, result.peakRequestsPerLookup(), "requests"));
    records.add(new Entry("hits_per_write", labels, result.hitsPerWrite(), "hits"));
    records.add(
        new Entry("written_at_first_lookup", labels, result.writtenAtFirstRatio(), "ratio"));
    records.add(new Entry("lookups", labels, result.end().lookups(), "lookups"));
    records.add(new Entry("metadata_bytes", labels, result.end().metadataBytes(), "bytes"));
    int segment = 0;
    for (ReplayResult.Window window : result.segments()) {
      Map<String, String> ofSegment = new HashMap<>(labels);
      ofSegment.put("segment", Integer.toString(++segment));
      records.add(new Entry("segment_hit_ratio", ofSegment, window.hitRatio(), "ratio"));
    }
  }
}
