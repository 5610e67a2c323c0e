// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What a benchmark found.
 *
 * @param settings what was done
 * @param store the store after the load
 * @param workloads those with at least one run
 * @param interrupted whether the benchmark was cut short
 */
public record BenchmarkResult(
    YcsbSettings settings, StoreFacts store, List<WorkloadResult> workloads, boolean interrupted) {
  /** Copies the list. */
  public BenchmarkResult {
    workloads = List.copyOf(workloads);
  }

  /** Rows read and checked in all runs. */
  public long verifiedReads() {
    return sum(RunResult::verifiedReads);
  }

  /** Values that were not what was written, in all runs. */
  public long wrongValues() {
    return sum(RunResult::wrongValues);
  }

  /** Operations that the store failed, in all runs. */
  public long failedOperations() {
    return sum(RunResult::failedOperations);
  }

  private long sum(ToLongFunction<RunResult> count) {
    return workloads.stream()
        .flatMap(workload -> workload.policies().stream())
        .flatMap(policy -> policy.runs().stream())
        .mapToLong(count)
        .sum();
  }
}
