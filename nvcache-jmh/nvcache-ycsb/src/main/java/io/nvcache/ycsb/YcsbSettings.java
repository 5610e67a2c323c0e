// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.ycsb.WorkloadChoice.Distribution;
import io.nvcache.ycsb.store.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a benchmark does, checked.
 *
 * @param workloads run one after the other
 * @param policies compared on each workload
 * @param distribution instead of each workload's own, or null
 * @param data the data set
 * @param cache the second tier
 * @param run how it is driven
 * @param directory where a directory for the data is made and removed
 */
public record YcsbSettings(
    List<WorkloadChoice> workloads,
    List<PolicyChoice> policies,
    @Nullable Distribution distribution,
    StoreOptions data,
    CacheSettings cache,
    RunSettings run,
    Path directory) {

  /** Copies the lists. */
  public YcsbSettings {
    workloads = List.copyOf(workloads);
    policies = List.copyOf(policies);
  }

  /** The same benchmark, driven in another way. */
  YcsbSettings with(RunSettings otherRun) {
    return new YcsbSettings(workloads, policies, distribution, data, cache, otherRun, directory);
  }

  /** The distribution that a workload is run with. */
  public Distribution distributionOf(WorkloadChoice workload) {
    return distribution == null ? workload.distribution() : distribution;
  }
}
