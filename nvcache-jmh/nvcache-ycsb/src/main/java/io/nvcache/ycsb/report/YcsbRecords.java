// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.OfferResult;
import io.nvcache.device.MediumChoice;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.JsonRecords.Entry;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.Counters;
import io.nvcache.ycsb.PairedRatio;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.StoreCall;
import io.nvcache.ycsb.Window;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbSettings;
import io.nvcache.ycsb.store.DirectIoStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The records of the command {@code ycsb}; docs/reference/commands.md lists them. Unknown figures
 * are left out.
 */
public final class YcsbRecords {
  private final List<Entry> records = new ArrayList<>();
  private final BenchmarkResult result;

  private YcsbRecords(BenchmarkResult result) {
    this.result = result;
  }

  /** All records of one benchmark. */
  public static List<Entry> of(BenchmarkResult result) {
    YcsbRecords records = new YcsbRecords(result);
    result.settings().cache().media().forEach(records::addStore);
    for (WorkloadResult workload : result.workloads()) {
      for (PolicyResult policy : workload.policies()) {
        records.addPolicy(workload, policy);
      }
    }
    return List.copyOf(records.records);
  }

  private void addStore(MediumChoice medium) {
    YcsbSettings settings = result.settings();
    Map<String, String> labels = Map.of("medium", medium.label());
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
    add("service_time", labels, workload.serviceMicros(policy), "us");
    add("disk_wait", labels, workload.diskWaitMicros(), "us");
    addSpeeds(labels, workload, policy);
    add("rank", labels, rank(workload, policy), "rank");
    add("rounds", labels, (double) policy.turns().size(), "rounds");
    add("throughput", labels, policy.throughput(), "ops/s");
    add("throughput_spread", labels, policy.throughputSpread(), "ratio");
    Counters counters = policy.counters();
    add("hit_ratio", labels, counters.hitRatio(), "ratio");
    add("dram_hit_ratio", labels, counters.dramHitRatio(), "ratio");
    add("writes_per_lookup", labels, counters.writesPerLookup(), "ratio");
    add("disk_reads_per_operation", labels, counters.diskReadsPerOperation(), "ratio");
    add("operations", labels, (double) counters.operations(), "operations");
    add("measured_seconds", labels, policy.seconds(), "s");
    add("lookups", labels, (double) counters.lookups(), "lookups");
    add("medium_written_bytes", labels, (double) counters.mediumWrittenBytes(), "bytes");
    add("disk_read_bytes", labels, (double) counters.diskReadBytes(), "bytes");
    add("compactions", labels, (double) counters.compactions(), "compactions");
    add("carried_blocks", labels, (double) counters.carriedBlocks(), "blocks");
    addOffers(labels, counters);
    addLatencies(labels, policy::latencyMicros);
    if (workload.hasWindowsWithCompactions()) {
      policy.windows().forEach(window -> addWindow(labels, policy.policy(), window));
    }
    add("verified_reads", labels, (double) policy.verifiedReads(), "reads");
    add("wrong_values", labels, (double) policy.wrongValues(), "values");
    add("failed_operations", labels, (double) policy.failedOperations(), "operations");
    add("policy_interrupted", labels, policy.interrupted() ? 1 : 0, "boolean");
  }

  private void addSpeeds(Map<String, String> labels, WorkloadResult workload, PolicyResult policy) {
    Optional<PairedRatio> speed = workload.speedToNone(policy);
    speed.ifPresent(ratio -> addRatio("speed_to_none", labels, ratio));
    speed.ifPresent(
        ratio -> add("speed_to_none_clear", labels, ratio.isClear() ? 1 : 0, "boolean"));
    workload
        .throughputToNone(policy)
        .ifPresent(ratio -> addRatio("throughput_to_none", labels, ratio));
  }

  private void addRatio(String metric, Map<String, String> labels, PairedRatio ratio) {
    add(metric, labels, ratio.median(), "ratio");
    add(metric + "_low", labels, ratio.low(), "ratio");
    add(metric + "_high", labels, ratio.high(), "ratio");
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

  private Map<String, String> labels(WorkloadResult workload, PolicyResult policy) {
    YcsbSettings settings = result.settings();
    return Map.of(
        "workload", workload.workload().name(),
        "policy", policy.policy().label(),
        "medium", workload.medium().label(),
        "distribution", settings.distributionOf(workload.workload()).label(),
        "threads", Integer.toString(settings.run().threads()),
        "budget", Double.toString(settings.cache().overheadTarget()));
  }

  private void addOffers(Map<String, String> labels, Counters counters) {
    for (OfferResult outcome : OfferResult.values()) {
      double offers = counters.offers(outcome);
      if (offers > 0) {
        String name = outcome.name().toLowerCase(Locale.ROOT);
        add("offers", with(labels, "outcome", name), offers, "blocks");
      }
    }
  }

  /** Adds a window by the names that {@code bench hbase} has for the same figures. */
  private void addWindow(Map<String, String> ofPolicy, PolicyChoice policy, Window window) {
    Map<String, String> labels = with(ofPolicy, "window", Integer.toString(window.number()));
    boolean cached = policy != PolicyChoice.NONE;
    labels.put("heat", cached ? SettingsList.heatLabel(result.settings().data()) : "off");
    Counters counters = window.counters();
    add("hit_ratio", labels, counters.hitRatio(), "ratio");
    add("file_reads", labels, (double) counters.diskReads(), "reads");
    add("medium_bytes_written", labels, (double) window.mediumBytesWritten(), "bytes");
    add("compactions", labels, (double) counters.compactions(), "compactions");
    add("carried_blocks", labels, (double) counters.carriedBlocks(), "blocks");
    addLatencies(labels, window::latencyMicros);
  }

  /** Gives the latency of an operation by percentile. */
  @FunctionalInterface
  private interface Latencies {
    double micros(StoreCall operation, double percentile);
  }

  private void addLatencies(Map<String, String> labels, Latencies latencies) {
    for (StoreCall operation : StoreCall.values()) {
      Map<String, String> ofOperation =
          with(labels, "operation", operation.name().toLowerCase(Locale.ROOT));
      for (double percentile : PolicyResult.PERCENTILES) {
        String name = percentile == Math.rint(percentile) ? "%.0f" : "%.1f";
        add(
            "latency",
            with(ofOperation, "percentile", String.format(Locale.ROOT, name, percentile)),
            latencies.micros(operation, percentile),
            "us");
      }
    }
  }

  private static Map<String, String> with(Map<String, String> labels, String name, String value) {
    Map<String, String> more = new HashMap<>(labels);
    more.put(name, value);
    return more;
  }

  private void add(String metric, Map<String, String> labels, double value, String unit) {
    JsonRecords.add(records, metric, labels, value, unit);
  }
}
