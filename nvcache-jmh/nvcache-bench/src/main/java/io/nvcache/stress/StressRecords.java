// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.report.JsonRecords.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The records of the command {@code stress}; docs/reference/commands.md lists them. */
public final class StressRecords {
  private StressRecords() {}

  /** All records of one run. */
  public static List<Entry> of(StressResult result) {
    Map<String, String> labels =
        Map.of(
            "medium", result.settings().medium().label(),
            "threads", Integer.toString(result.settings().threads()),
            "seed", Long.toString(result.settings().seed()));
    List<Entry> records = new ArrayList<>();
    records.add(new Entry("seconds", labels, result.seconds(), "s"));
    records.add(new Entry("rounds", labels, result.rounds(), "rounds"));
    result.counts().forEach((name, count) -> records.add(new Entry(name, labels, count, "times")));
    result.health().forEach((name, count) -> records.add(new Entry(name, labels, count, "times")));
    result
        .faults()
        .forEach(
            (fault, count) ->
                records.add(new Entry("injected", with(labels, fault), count, "times")));
    records.add(new Entry("resident_bytes_early", labels, result.early().residentBytes(), "bytes"));
    records.add(new Entry("resident_bytes_late", labels, result.late().residentBytes(), "bytes"));
    records.add(new Entry("mappings_early", labels, result.early().mappings(), "mappings"));
    records.add(new Entry("mappings_late", labels, result.late().mappings(), "mappings"));
    return List.copyOf(records);
  }

  private static Map<String, String> with(Map<String, String> labels, String fault) {
    Map<String, String> more = new HashMap<>(labels);
    more.put("fault", fault);
    return more;
  }
}
