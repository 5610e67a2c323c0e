// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.device.MediumChoice;
import io.nvcache.report.Figures;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.CacheSettings;
import io.nvcache.ycsb.PairedRatio;
import io.nvcache.ycsb.WorkloadChoice;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.store.DirectIoStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.stream.Collectors;

/** What a reader has to know before believing the figures. */
public final class Notes {
  private Notes() {}

  /** One sentence or two for each. */
  public static List<String> of(BenchmarkResult result) {
    List<String> notes = new ArrayList<>();
    if (result.interrupted()) {
      notes.add("The benchmark was cut short; runs that had not begun are missing.");
    }
    notes.add(columns());
    notes.add(time(result));
    notes.add(hits());
    notes.add(turns(result));
    notes.add(integrity(result));
    notes.add(directIo(result.store().directIo()));
    if (result.settings().cache().media().contains(MediumChoice.EMULATED_NVRAM)) {
      notes.add(
          "The NVRAM is emulated: memory slowed down to %s × the bandwidths that SoCC '22 (Figs. 1 and 2)"
                  .formatted(result.settings().cache().nvramScale())
              + " reports for the readers and writers under way. Figures from a real device will"
              + " differ.");
    }
    notes.add(smallBypass(result));
    if (result.settings().cache().media().contains(MediumChoice.MAPPED)) {
      notes.add(
          "Time/op leaves out waiting for page faults of the mapped file, which the clock has in"
              + " ops/s.");
    }
    return List.copyOf(notes);
  }

  private static String integrity(BenchmarkResult result) {
    return "%s rows were read and checked: %s. Failed operations: %s."
        .formatted(
            Figures.count(result.verifiedReads()),
            result.wrongValues() == 0
                ? "no wrong values"
                : Figures.count(result.wrongValues()) + " WRONG VALUES",
            Figures.count(result.failedOperations()));
  }

  private static String directIo(DirectIoStatus status) {
    return status.mode() == DirectIoStatus.Mode.ENABLED
        ? "The store reads its files with direct I/O, so the page cache plays no part and a miss in"
            + " both tiers costs a disk access."
        : "DIRECT I/O WAS REFUSED ("
            + status.reason()
            + "): the page cache serves many of the reads counted as disk reads, which makes a miss"
            + " cheaper than on a disk and a second tier look worse. Choose a --directory on a real"
            + " disk.";
  }

  private static String smallBypass(BenchmarkResult result) {
    CacheSettings cache = result.settings().cache();
    if (cache.smallBypassDramBytes() == 0) {
      return "The small bypass is off: the cache is used however small the data set is.";
    }
    return ("A cache bypasses itself while DRAM can hold the data set (small bypass). This data set"
            + " would fit in any server, so the cache was set to expect %s of DRAM for the"
            + " page cache.")
        .formatted(Figures.bytes(cache.smallBypassDramBytes()));
  }

  private static String columns() {
    return ("Speed to none: how many times as fast as without a second tier, by time/op, as median"
            + " over the rounds, with its 95 %% confidence interval. Where that includes 1, or"
            + " the median is within %.0f %% of it, there is no clear difference.")
        .formatted(100 * PairedRatio.MARGIN);
  }

  /** The sentence that everything hangs on. */
  private static String time(BenchmarkResult result) {
    String waits =
        result.workloads().stream()
            .collect(
                Collectors.toMap(
                    WorkloadResult::workload,
                    WorkloadResult::diskWaitMicros,
                    (first, second) -> first,
                    () -> new EnumMap<>(WorkloadChoice.class)))
            .entrySet()
            .stream()
            .map(entry -> Figures.micros(entry.getValue()) + " in " + entry.getKey())
            .collect(Collectors.joining(", "));
    return "Time/op is the processor time of an operation, flushes and compactions included, plus"
        + " its disk reads at the same price for all policies ("
        + waits
        + ", what the quickest tenth waited at most), plus the time of the emulated medium. It"
        + " leaves out waiting for processors, so that other programs on this machine don't decide"
        + " who wins; ops/s and p50, p99 are by the clock and leave out nothing.";
  }

  private static String turns(BenchmarkResult result) {
    return ("Each policy has its own store and caches; all took turns with the same operations in"
            + " %d rounds, of which the first %d only warmed up, each round in another order.")
        .formatted(result.settings().run().rounds(), result.settings().run().warmUpRounds());
  }

  private static String hits() {
    return "Tier-2 hits: lookups of the second tier that found their block (it is asked for what"
        + " DRAM misses). Writes/lookup: blocks written to its medium by those lookups, the"
        + " paper's overhead.";
  }
}
