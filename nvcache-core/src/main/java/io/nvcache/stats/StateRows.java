// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import static io.nvcache.stats.Stat.health;
import static io.nvcache.stats.Stat.lower;
import static io.nvcache.stats.Stat.number;
import static io.nvcache.stats.Stat.shadows;

import io.nvcache.control.CacheHealth;
import io.nvcache.control.Condition;
import io.nvcache.control.ShadowReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The state of a cache and its shadows: rows of the {@link StatTable}. */
final class StateRows {
  private static final List<Double> CURVE_SIZES = List.of(0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0);

  private StateRows() {}

  static List<Stat> service() {
    return List.of(
        health("", "", health -> health.inService() ? 1 : 0)
            .gauge(
                "nvcache.in.service",
                "1 while the cache asks its medium, 0 while it is out of service"),
        health("Outages", "Times that the cache went out of service.", CacheHealth::outages)
            .counter("nvcache.outages", "Times out of service"),
        health(
                "LostDrives",
                "Drives of several that are lost; Drives says why.",
                health -> health.drives().stream().filter(drive -> !drive.serves()).count())
            .gauge("nvcache.drives.lost", "Drives of several that are lost"),
        health(
                "RefusedLookups",
                "Lookups that missed because the cache was out of service.",
                CacheHealth::refusedLookups)
            .counter("nvcache.lookups.refused"),
        health(
                "StuckCalls",
                "Calls that had been inside for too long when the cache last looked.",
                CacheHealth::stuckCalls)
            .gauge("nvcache.stuck.calls", "Calls inside for too long"),
        health(
                "ChecksumFailures",
                "Reads whose bytes were not those written; misses.",
                CacheHealth::checksumFailures)
            .counter("nvcache.checksum.failures", "Reads whose bytes were not those written"),
        health(
            "QuarantinedBlocks",
            "Blocks removed because of checksum failures.",
            CacheHealth::quarantinedBlocks),
        health(
                "QuarantinedBytes",
                "Bytes of the blocks removed because of checksum failures.",
                CacheHealth::quarantinedBytes)
            .counter(
                "nvcache.quarantined.bytes",
                "Bytes of blocks removed because of checksum failures"),
        health(
            "IndexFaults",
            "Corrupt entries found in the index, if it is checked (debug).",
            CacheHealth::indexFaults),
        health(
            "SpaceFaults",
            "Writes to free space found, if it is poisoned (debug).",
            CacheHealth::spaceFaults),
        health(
            "OpenLeases", "Open pins, if they are tracked (debug); else 0.", CacheHealth::openPins),
        health(
                "SecondsSinceMaintenance",
                "Seconds since a round of the background work last ended with all it had to do.",
                CacheHealth::secondsSinceMaintenance)
            .gauge(
                "nvcache.maintenance.age", "Time since a round of the background work last ended"));
  }

  static List<Stat> conditions() {
    return Arrays.stream(Condition.values())
        .map(
            condition ->
                number(
                        "",
                        "",
                        reading -> reading.control().conditions().containsKey(condition) ? 1 : 0)
                    .gauge(
                        "nvcache.condition",
                        "1 while the cache is in this condition, else 0",
                        "condition",
                        lower(condition)))
        .toList();
  }

  static List<Stat> miniatures() {
    List<Stat> rows = new ArrayList<>();
    rows.add(
        shadows(
            "ShadowLookups",
            "Lookups of the cache since the shadows were started.",
            ShadowReport::lookups));
    rows.add(
        shadows(
            "ShadowSampledLookups",
            "Lookups of sampled keys since the shadows were started.",
            ShadowReport::sampledLookups));
    rows.add(
        shadows(
                "ShadowDroppedEvents",
                "Events of sampled keys that the shadows missed, being slower than the cache.",
                ShadowReport::droppedEvents)
            .counter("nvcache.shadow.dropped", "Events of sampled keys that the shadows missed"));
    rows.add(
        number("", "", reading -> reading.shadows().sampleRatio())
            .gauge(
                "nvcache.shadow.sample",
                "The part of the keys whose lookups feed the shadows; 0 when they are off"));
    for (double size : CURVE_SIZES) {
      String tag = size < 1 ? Double.toString(size) : Long.toString((long) size);
      rows.add(
          curve(report -> at(size, report))
              .gauge(
                  "nvcache.curve.hit.ratio",
                  "Hit ratio of the cache's own policies at a multiple of its size",
                  "size",
                  tag));
      rows.add(
          curve(report -> lruAt(size, report))
              .gauge(
                  "nvcache.curve.lru.hit.ratio",
                  "Hit ratio of LRU that takes every block, at a multiple of the size",
                  "size",
                  tag));
    }
    return rows;
  }

  private static Stat curve(Function<ShadowReport, Number> hitRatio) {
    return number("", "", reading -> hitRatio.apply(reading.shadows()));
  }

  private static double at(double size, ShadowReport report) {
    return report.sizes().stream()
        .filter(candidate -> candidate.sizeFactor() == size)
        .mapToDouble(ShadowReport.Candidate::hitRatio)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double lruAt(double size, ShadowReport report) {
    return report.lru().stream()
        .filter(point -> Math.abs(point.sizeFactor() / size - 1) < 1e-6)
        .mapToDouble(ShadowReport.Point::hitRatio)
        .findFirst()
        .orElse(Double.NaN);
  }
}
