// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.report.Figures;
import io.nvcache.report.ResultTable;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.Counters;
import io.nvcache.ycsb.PairedRatio;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.StoreCall;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts one workload's policies side by side. */
public final class YcsbTable {
  static final String INTERRUPTED_MARK = " (cut short)";

  private YcsbTable() {}

  /** Returns the table of one workload. */
  public static ResultTable of(BenchmarkResult result, WorkloadResult workload) {
    StoreCall timed = timedOperation(workload);
    List<List<String>> rows = new ArrayList<>();
    for (PolicyResult policy : workload.policies()) {
      rows.add(row(workload, policy, timed));
    }
    return new ResultTable(title(result.settings(), workload), header(timed), List.copyOf(rows));
  }

  private static String title(YcsbSettings settings, WorkloadResult workload) {
    return String.join(
        " · ",
        "YCSB " + workload.workload(),
        workload.workload().mix(),
        settings.distributionOf(workload.workload()).label(),
        Figures.bytes(settings.cache().capacityBytes())
            + " of "
            + SettingsList.title(workload.medium(), settings.cache()));
  }

  private static List<String> header(StoreCall timed) {
    String operation = timed == StoreCall.SCAN ? "scan" : "read";
    return List.of(
        "policy",
        "speed to none",
        "95 % sure",
        "time/op",
        "tier-2 hits",
        "DRAM hits",
        "writes/lookup",
        "disk reads/op",
        "ops/s",
        operation + " p50",
        operation + " p99");
  }

  private static List<String> row(WorkloadResult workload, PolicyResult policy, StoreCall timed) {
    Counters counters = policy.counters();
    List<String> row = new ArrayList<>();
    row.add(policy.policy().label() + (policy.interrupted() ? INTERRUPTED_MARK : ""));
    row.addAll(speed(workload, policy));
    row.add(Figures.micros(workload.serviceMicros(policy)));
    row.add(Figures.percent(counters.hitRatio()));
    row.add(Figures.percent(counters.dramHitRatio()));
    row.add(Figures.percent(counters.writesPerLookup()));
    row.add(Figures.decimal(counters.diskReadsPerOperation()));
    row.add(Figures.count(policy.throughput()));
    row.add(Figures.micros(policy.latencyMicros(timed, 50)));
    row.add(Figures.micros(policy.latencyMicros(timed, 99)));
    return List.copyOf(row);
  }

  /** The ratio, only if the rounds agree that it is one, and where it lies. */
  private static List<String> speed(WorkloadResult workload, PolicyResult policy) {
    Optional<PairedRatio> ratio = workload.speedToNone(policy);
    if (ratio.isEmpty() || policy.policy() == PolicyChoice.NONE) {
      return List.of(ratio.isEmpty() ? Figures.UNKNOWN : Figures.times(1), Figures.UNKNOWN);
    }
    PairedRatio known = ratio.get();
    return List.of(
        known.isClear() ? Figures.times(known.median()) : "no clear difference",
        Figures.range(known.low(), known.high()));
  }

  static StoreCall timedOperation(WorkloadResult workload) {
    boolean reads =
        workload.policies().stream()
            .anyMatch(policy -> !Double.isNaN(policy.latencyMicros(StoreCall.READ, 50)));
    return reads ? StoreCall.READ : StoreCall.SCAN;
  }
}
