// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.List;
import java.util.Optional;

/**
 * All policies on one workload.
 *
 * @param workload what was run
 * @param policies those with at least one run, in the order of the settings
 */
public record WorkloadResult(WorkloadChoice workload, List<PolicyResult> policies) {
  /** Copies the list. */
  public WorkloadResult {
    policies = List.copyOf(policies);
  }

  /** Throughput of a policy by that of no second tier; NaN if that was not run. */
  public double ratioToNone(PolicyResult policy) {
    Optional<PolicyResult> none =
        policies.stream().filter(other -> other.policy() == PolicyChoice.NONE).findFirst();
    return none.map(policy::throughputRatio).orElse(Double.NaN);
  }
}
