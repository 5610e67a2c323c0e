// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.OfferResult;
import io.nvcache.report.JsonRecords.Entry;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.Operation;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.RunResult;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbSettings;
import io.nvcache.ycsb.store.DirectIoStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The records of the command {@code ycsb}; docs/cli.md lists them. Unknown figures are left out.
 */
public final class YcsbRecords {
  private static final double[] PERCENTILES = {50, 99, 99.9};

  private final List<Entry> records = new ArrayList<>();
  private final BenchmarkResult result;

  private YcsbRecords(BenchmarkResult result) {
    this.result = result;
  }

  /** All records of one benchmark. */
  public static List<Entry> of(BenchmarkResult result) {
    YcsbRecords records = new YcsbRecords(result);
    records.addStore();
    for (WorkloadResult workload : result.workloads()) {
      for (PolicyResult policy : workload.policies()) {
        records.addPolicy(workload, policy);
      }
    }
    return List.copyOf(records.records);
  }

  private void addStore() {
    YcsbSettings settings = result.settings();
    Map<String, String> labels = Map.of("medium", settings.cache().medium().label());
    add("data_bytes", labels, (double) result.store().dataBytes(), "bytes");
    add("data_files", labels, (double) result.store().fileCount(), "files");
    add("capacity_bytes", labels, (double) settings.cache().capacityBytes(), "bytes");
    add("dram_tier_bytes", labels, (double) settings.data().dramTierBytes(), "bytes");
    boolean direct = result.store().directIo().mode() == DirectIoStatus.Mode.ENABLED;
    add("direct_io", labels, direct ? 1 : 0, "boolean");
    add("interrupted", labels, result.interrupted() ? 1 : 0, "boolean");
  }

  private void addPolicy(WorkloadResult workload, PolicyResult policy) {
    Map<String, String> labels = labels(workload, policy);
    add("throughput", labels, policy.throughput(), "ops/s");
    add("throughput_spread", labels, policy.throughputSpread(), "ratio");
    add("throughput_to_none", labels, workload.ratioToNone(policy), "ratio");
    addMedian("hit_ratio", labels, policy, run -> run.counters().hitRatio(), "ratio");
    addMedian("dram_hit_ratio", labels, policy, run -> run.counters().dramHitRatio(), "ratio");
    addMedian(
        "writes_per_lookup", labels, policy, run -> run.counters().writesPerLookup(), "ratio");
    addMedian(
        "disk_reads_per_operation",
        labels,
        policy,
        run -> run.counters().diskReadsPerOperation(),
        "ratio");
    addMedian("operations", labels, policy, run -> run.counters().operations(), "operations");
    addMedian("measured_seconds", labels, policy, RunResult::seconds, "s");
    addMedian("lookups", labels, policy, run -> run.counters().lookups(), "lookups");
    addMedian(
        "medium_written_bytes",
        labels,
        policy,
        run -> run.counters().mediumWrittenBytes(),
        "bytes");
    addMedian("disk_read_bytes", labels, policy, run -> run.counters().diskReadBytes(), "bytes");
    addOffers(labels, policy);
    addLatencies(labels, policy);
    addSum("verified_reads", labels, policy, RunResult::verifiedReads, "reads");
    addSum("wrong_values", labels, policy, RunResult::wrongValues, "values");
    addSum("failed_operations", labels, policy, RunResult::failedOperations, "operations");
    add("policy_interrupted", labels, policy.interrupted() ? 1 : 0, "boolean");
  }

  private Map<String, String> labels(WorkloadResult workload, PolicyResult policy) {
    YcsbSettings settings = result.settings();
    return Map.of(
        "workload", workload.workload().name(),
        "policy", policy.policy().label(),
        "medium", settings.cache().medium().label(),
        "distribution", settings.distributionOf(workload.workload()).label(),
        "threads", Integer.toString(settings.run().threads()),
        "budget", Double.toString(settings.cache().overheadTarget()));
  }

  private void addOffers(Map<String, String> labels, PolicyResult policy) {
    for (OfferResult outcome : OfferResult.values()) {
      double offers = policy.median(run -> run.counters().offers(outcome));
      if (offers > 0) {
        String name = outcome.name().toLowerCase(Locale.ROOT);
        add("offers", with(labels, "outcome", name), offers, "blocks");
      }
    }
  }

  private void addLatencies(Map<String, String> labels, PolicyResult policy) {
    for (Operation operation : Operation.values()) {
      Map<String, String> ofOperation =
          with(labels, "operation", operation.name().toLowerCase(Locale.ROOT));
      for (double percentile : PERCENTILES) {
        String name = percentile == Math.rint(percentile) ? "%.0f" : "%.1f";
        add(
            "latency",
            with(ofOperation, "percentile", String.format(Locale.ROOT, name, percentile)),
            policy.latencyMicros(operation, percentile),
            "us");
      }
    }
  }

  private static Map<String, String> with(Map<String, String> labels, String name, String value) {
    Map<String, String> more = new HashMap<>(labels);
    more.put(name, value);
    return more;
  }

  private void addMedian(
      String metric,
      Map<String, String> labels,
      PolicyResult policy,
      ToDoubleFunction<RunResult> figure,
      String unit) {
    add(metric, labels, policy.median(figure), unit);
  }

  private void addSum(
      String metric,
      Map<String, String> labels,
      PolicyResult policy,
      ToDoubleFunction<RunResult> figure,
      String unit) {
    add(metric, labels, policy.runs().stream().mapToDouble(figure).sum(), unit);
  }

  private void add(String metric, Map<String, String> labels, double value, String unit) {
    if (Double.isFinite(value)) {
      records.add(new Entry(metric, labels, value, unit));
    }
  }
}
