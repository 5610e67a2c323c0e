// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.device.MediumChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * All policies on one workload and medium.
 *
 * @param workload what was run
 * @param medium of the second tier
 * @param diskWaitMicros what a read of the disk is taken to wait for it, for all policies
 * @param policies those with at least one turn, in the order of the settings
 */
public record WorkloadResult(
    WorkloadChoice workload,
    MediumChoice medium,
    double diskWaitMicros,
    List<PolicyResult> policies) {
  /** Copies the list. */
  public WorkloadResult {
    policies = List.copyOf(policies);
  }

  /** The time in microseconds that an operation needs; see {@link Turn#serviceMicros}. */
  public double serviceMicros(PolicyResult policy) {
    return policy.median(this::service);
  }

  private double service(Turn turn) {
    return turn.serviceMicros(diskWaitMicros);
  }

  /** How many times as fast as another a policy is, by the time that operations need. */
  public PairedRatio speed(PolicyResult policy, PolicyResult baseline) {
    return PairedRatio.of(policy.turns(), baseline.turns(), turn -> 1 / service(turn));
  }

  /** How many times as fast as no second tier; empty if that was not run. */
  public Optional<PairedRatio> speedToNone(PolicyResult policy) {
    return none().map(none -> speed(policy, none));
  }

  /** Throughput by the one without a second tier, by the clock; empty if that was not run. */
  public Optional<PairedRatio> throughputToNone(PolicyResult policy) {
    return none().map(none -> PairedRatio.of(policy.turns(), none.turns(), Turn::throughput));
  }

  private Optional<PolicyResult> none() {
    return policies.stream().filter(policy -> policy.policy() == PolicyChoice.NONE).findFirst();
  }

  /**
   * The policies, the fastest first; those that are not clearly slower than the first of their rank
   * share it.
   */
  public List<List<PolicyResult>> ranks() {
    List<PolicyResult> sorted = new ArrayList<>(policies);
    sorted.sort(Comparator.comparingDouble(this::lead).reversed());
    List<List<PolicyResult>> ranks = new ArrayList<>();
    for (PolicyResult policy : sorted) {
      if (ranks.isEmpty() || isSlower(policy, last(ranks).get(0))) {
        ranks.add(new ArrayList<>());
      }
      last(ranks).add(policy);
    }
    return ranks.stream().map(List::copyOf).toList();
  }

  /**
   * How far a policy is ahead of the others, by the same ratios that tell whether that is clear.
   */
  private double lead(PolicyResult policy) {
    return policies.stream().mapToDouble(other -> Math.log(speed(policy, other).median())).sum();
  }

  private boolean isSlower(PolicyResult policy, PolicyResult first) {
    PairedRatio speed = speed(policy, first);
    return speed.isClear() && speed.median() < 1;
  }

  private static List<PolicyResult> last(List<List<PolicyResult>> ranks) {
    return ranks.get(ranks.size() - 1);
  }
}
