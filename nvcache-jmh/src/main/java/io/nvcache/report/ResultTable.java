// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.MediumChoice;
import io.nvcache.ycsb.Operation;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * One workload's policies side by side.
 *
 * @param title what was run on what
 * @param header names of the columns, the policy first
 * @param rows one for each policy
 */
record ResultTable(String title, List<String> header, List<List<String>> rows) {
  static final String INTERRUPTED_MARK = " (cut short)";

  static ResultTable of(BenchmarkResult result, WorkloadResult workload) {
    boolean manyRounds = result.settings().run().rounds() > 1;
    Operation timed = timedOperation(workload);
    List<List<String>> rows = new ArrayList<>();
    for (PolicyResult policy : workload.policies()) {
      rows.add(row(workload, policy, timed, manyRounds));
    }
    return new ResultTable(
        title(result.settings(), workload), header(timed, manyRounds), List.copyOf(rows));
  }

  private static String title(YcsbSettings settings, WorkloadResult workload) {
    MediumChoice medium = settings.cache().medium();
    return String.join(
        " · ",
        "YCSB " + workload.workload(),
        workload.workload().mix(),
        settings.distributionOf(workload.workload()).label(),
        Figures.bytes(settings.cache().capacityBytes()) + " of " + medium.title());
  }

  private static List<String> header(Operation timed, boolean manyRounds) {
    String operation = timed == Operation.SCAN ? "scan" : "read";
    List<String> header = new ArrayList<>(List.of("policy", "ops/s"));
    if (manyRounds) {
      header.add("spread");
    }
    header.addAll(
        List.of(
            "to none",
            "NV hits",
            "DRAM hits",
            "writes/lookup",
            "disk reads/op",
            operation + " p50",
            operation + " p99"));
    return List.copyOf(header);
  }

  private static List<String> row(
      WorkloadResult workload, PolicyResult policy, Operation timed, boolean manyRounds) {
    List<String> row = new ArrayList<>();
    row.add(policy.policy().label() + (policy.interrupted() ? INTERRUPTED_MARK : ""));
    row.add(Figures.count(policy.throughput()));
    if (manyRounds) {
      row.add(Figures.percent(policy.throughputSpread()));
    }
    row.add(Figures.times(workload.ratioToNone(policy)));
    row.add(Figures.percent(policy.median(run -> run.counters().hitRatio())));
    row.add(Figures.percent(policy.median(run -> run.counters().dramHitRatio())));
    row.add(Figures.percent(policy.median(run -> run.counters().writesPerLookup())));
    row.add(Figures.decimal(policy.median(run -> run.counters().diskReadsPerOperation())));
    row.add(Figures.micros(policy.latencyMicros(timed, 50)));
    row.add(Figures.micros(policy.latencyMicros(timed, 99)));
    return List.copyOf(row);
  }

  private static Operation timedOperation(WorkloadResult workload) {
    boolean reads =
        workload.policies().stream()
            .anyMatch(policy -> !Double.isNaN(policy.latencyMicros(Operation.READ, 50)));
    return reads ? Operation.READ : Operation.SCAN;
  }
}
