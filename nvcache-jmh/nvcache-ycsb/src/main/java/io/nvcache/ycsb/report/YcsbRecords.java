// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.OfferResult;
import io.nvcache.device.MediumChoice;
import io.nvcache.report.Measurements;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.Counters;
import io.nvcache.ycsb.PairedRatio;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.StoreCall;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbSettings;
import io.nvcache.ycsb.store.DirectIoStatus;
import java.util.List;
import java.util.Locale;

/**
 * The records of the command {@code ycsb}; docs/reference/commands.md lists them. Unknown figures
 * are left out.
 */
public final class YcsbRecords {
  private YcsbRecords() {}

  /** Returns what a benchmark came to, by labels. */
  public static Measurements of(BenchmarkResult result) {
    Measurements all = new Measurements();
    for (MediumChoice medium : result.settings().cache().media()) {
      addStore(result, all.with("medium", medium.label()));
    }
    for (WorkloadResult workload : result.workloads()) {
      for (PolicyResult policy : workload.policies()) {
        addPolicy(workload, policy, labelled(all, result.settings(), workload, policy));
      }
    }
    return all;
  }

  private static void addStore(BenchmarkResult result, Measurements to) {
    YcsbSettings settings = result.settings();
    to.add("data_bytes", result.store().dataBytes(), "bytes")
        .add("data_files", result.store().fileCount(), "files")
        .add("capacity_bytes", settings.cache().capacityBytes(), "bytes")
        .add("dram_tier_bytes", settings.data().dramTierBytes(), "bytes")
        .flag("direct_io", result.store().directIo().mode() == DirectIoStatus.Mode.ENABLED)
        .flag("interrupted", result.interrupted());
  }

  private static Measurements labelled(
      Measurements all, YcsbSettings settings, WorkloadResult workload, PolicyResult policy) {
    return all.with("workload", workload.workload().name())
        .with("policy", policy.policy().label())
        .with("medium", workload.medium().label())
        .with("distribution", settings.distributionOf(workload.workload()).label())
        .with("threads", settings.run().threads())
        .with("budget", settings.cache().overheadTarget());
  }

  private static void addPolicy(WorkloadResult workload, PolicyResult policy, Measurements to) {
    to.add("service_time", workload.serviceMicros(policy), "us")
        .add("disk_wait", workload.diskWaitMicros(), "us");
    addSpeeds(workload, policy, to);
    Counters counters = policy.counters();
    to.add("rank", rank(workload, policy), "rank")
        .add("rounds", policy.turns().size(), "rounds")
        .add("throughput", policy.throughput(), "ops/s")
        .add("throughput_spread", policy.throughputSpread(), "ratio")
        .add("hit_ratio", counters.hitRatio(), "ratio")
        .add("dram_hit_ratio", counters.dramHitRatio(), "ratio")
        .add("writes_per_lookup", counters.writesPerLookup(), "ratio")
        .add("disk_reads_per_operation", counters.diskReadsPerOperation(), "ratio")
        .add("operations", counters.operations(), "operations")
        .add("measured_seconds", policy.seconds(), "s")
        .add("lookups", counters.lookups(), "lookups")
        .add("medium_written_bytes", counters.mediumWrittenBytes(), "bytes")
        .add("disk_read_bytes", counters.diskReadBytes(), "bytes")
        .add("compactions", counters.compactions(), "compactions")
        .add("carried_blocks", counters.carriedBlocks(), "blocks");
    for (OfferResult outcome : OfferResult.values()) {
      if (counters.offers(outcome) > 0) {
        to.with("outcome", outcome.name().toLowerCase(Locale.ROOT))
            .add("offers", counters.offers(outcome), "blocks");
      }
    }
    addLatencies(policy, to);
    to.add("verified_reads", policy.verifiedReads(), "reads")
        .add("wrong_values", policy.wrongValues(), "values")
        .add("failed_operations", policy.failedOperations(), "operations")
        .flag("policy_interrupted", policy.interrupted());
  }

  private static void addSpeeds(WorkloadResult workload, PolicyResult policy, Measurements to) {
    workload
        .speedToNone(policy)
        .ifPresent(
            ratio -> {
              addRatio("speed_to_none", ratio, to);
              to.flag("speed_to_none_clear", ratio.isClear());
            });
    workload.throughputToNone(policy).ifPresent(ratio -> addRatio("throughput_to_none", ratio, to));
  }

  private static void addRatio(String metric, PairedRatio ratio, Measurements to) {
    to.add(metric, ratio.median(), "ratio")
        .add(metric + "_low", ratio.low(), "ratio")
        .add(metric + "_high", ratio.high(), "ratio");
  }

  private static double rank(WorkloadResult workload, PolicyResult policy) {
    double rank = 1;
    for (List<PolicyResult> tied : workload.ranks()) {
      if (tied.contains(policy)) {
        return rank;
      }
      rank += tied.size();
    }
    return Double.NaN;
  }

  private static void addLatencies(PolicyResult policy, Measurements to) {
    for (StoreCall operation : StoreCall.values()) {
      for (double percentile : PolicyResult.PERCENTILES) {
        String form = percentile == Math.rint(percentile) ? "%.0f" : "%.1f";
        to.with("operation", operation.name().toLowerCase(Locale.ROOT))
            .with("percentile", String.format(Locale.ROOT, form, percentile))
            .add("latency", policy.latencyMicros(operation, percentile), "us");
      }
    }
  }
}
