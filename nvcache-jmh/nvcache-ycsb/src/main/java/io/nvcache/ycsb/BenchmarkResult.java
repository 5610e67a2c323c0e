// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.ycsb.store.DirectIoStatus;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What a benchmark found.
 *
 * @param settings what was done
 * @param store the store after the load
 * @param workloads those with at least one policy, once for each medium
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
    return sum(PolicyResult::verifiedReads);
  }

  /** Values that were not what was written, in all runs. */
  public long wrongValues() {
    return sum(PolicyResult::wrongValues);
  }

  /** Operations that the store failed, in all runs. */
  public long failedOperations() {
    return sum(PolicyResult::failedOperations);
  }

  private long sum(ToLongFunction<PolicyResult> count) {
    return workloads.stream()
        .flatMap(workload -> workload.policies().stream())
        // The run without a second tier is compared with those on each medium.
        .distinct()
        .mapToLong(count)
        .sum();
  }

  /**
   * The store after the load.
   *
   * @param dataBytes bytes of its files
   * @param fileCount number of its files
   * @param directIo whether reads pass the page cache by
   */
  public record StoreFacts(long dataBytes, long fileCount, DirectIoStatus directIo) {}
}
