// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbSettings;
import java.util.Map;

/** Puts one workload's policies side by side. */
public final class YcsbTable {
  private YcsbTable() {}

  /** Returns the table of one workload. */
  public static ResultTable of(BenchmarkResult result, WorkloadResult workload) {
    Measurements measured =
        YcsbRecords.of(result)
            .where("workload", workload.workload().name())
            .where("medium", workload.medium().label());
    String timed = measured.values("operation").contains("read") ? "read" : "scan";
    return TableView.by("policy")
        .titled(policy -> marked(policy, measured.where("policy", policy)))
        .column("speed to none", YcsbTable::speed)
        .column("95 % sure", YcsbTable::interval)
        .column("time/op", "service_time", Figures::micros)
        .column("tier-2 hits", "hit_ratio", Figures::percent)
        .column("DRAM hits", "dram_hit_ratio", Figures::percent)
        .column("writes/lookup", "writes_per_lookup", Figures::percent)
        .column("disk reads/op", "disk_reads_per_operation", Figures::decimal)
        .column("ops/s", "throughput", Figures::count)
        .column(timed + " p50", "latency", at("50", timed), Figures::micros)
        .column(timed + " p99", "latency", at("99", timed), Figures::micros)
        .of(title(result.settings(), workload), measured, Map.of())
        .get(0);
  }

  private static String title(YcsbSettings settings, WorkloadResult workload) {
    return String.join(
        " · ",
        "YCSB " + workload.workload(),
        workload.workload().mix(),
        settings.distributionOf(workload.workload()).label(),
        Figures.bytes(settings.cache().capacityBytes())
            + " of "
            + settings.cache().title(workload.medium()));
  }

  private static Map<String, String> at(String percentile, String operation) {
    return Map.of("operation", operation, "percentile", percentile);
  }

  private static String marked(String policy, Measurements own) {
    return own.value("policy_interrupted") == 1 ? policy + " (cut short)" : policy;
  }

  /** The ratio, only if the rounds agree that it is one. */
  private static String speed(Measurements own) {
    double ratio = own.value("speed_to_none");
    return isNone(own) || Double.isNaN(ratio) || own.value("speed_to_none_clear") == 1
        ? Figures.times(ratio)
        : "no clear difference";
  }

  /** Where the ratio lies. */
  private static String interval(Measurements own) {
    return isNone(own)
        ? Figures.UNKNOWN
        : Figures.range(own.value("speed_to_none_low"), own.value("speed_to_none_high"));
  }

  private static boolean isNone(Measurements own) {
    return own.values("policy").contains(PolicyChoice.NONE.label());
  }
}
