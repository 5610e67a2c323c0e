// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;

/**
 * The paper's overhead bypass: takes nothing, and lets nothing be evicted, while
 *
 * <pre>
 *   OBP = (blocks inserted + blocks removed) / blocks looked up
 * </pre>
 *
 * since the cache was built is over the target (SoCC '22, §3.2.3, lesson 2).
 *
 * <p>Calculates like WiredTiger, quirks included:
 *
 * <ul>
 *   <li>OBP is compared in whole percent, rounded down, so that it settles at just under one point
 *       more than the target: a target of 10 % spends almost 11 %.
 *   <li>Before the first lookup, overhead counts as high.
 *   <li>Inserts are counted after they are made; threads that decide at the same moment overshoot
 *       by one block each.
 *   <li>Nothing is forgotten: long idle phases save up a large burst, and removing much of the
 *       cache at once shuts admission for long. {@link DecayingOverheadBypass} does better.
 * </ul>
 */
public final class CumulativeOverheadBypass implements AdmissionPolicy {
  private final Traffic traffic;
  private final DoubleSupplier overheadTarget;
  private final double removalWeight;

  /** Counts each removal with the medium's removal weight. */
  public CumulativeOverheadBypass(AdmissionContext context) {
    this(context, context.removalWeight());
  }

  private CumulativeOverheadBypass(AdmissionContext context, double removalWeight) {
    this.traffic = context.traffic();
    this.overheadTarget = context.overheadTarget();
    this.removalWeight = removalWeight;
  }

  /** Counts a removal like an insert, as the paper does, whatever removals cost on the medium. */
  public static CumulativeOverheadBypass paperFaithful(AdmissionContext context) {
    return new CumulativeOverheadBypass(context, 1);
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    return isOverheadHigh() ? AdmissionDecision.BYPASS_OVERHEAD : AdmissionDecision.ADMIT;
  }

  @Override
  public boolean mayEvict() {
    return !isOverheadHigh();
  }

  @Override
  public OptionalDouble overhead() {
    long writes = writes();
    return OptionalDouble.of(writes == 0 ? 0 : (double) writes / traffic.lookups());
  }

  private boolean isOverheadHigh() {
    long lookups = traffic.lookups();
    return lookups == 0 || writes() * 100 / lookups > targetPercent();
  }

  private long writes() {
    return traffic.insertedBlocks() + (long) (traffic.removedBlocks() * removalWeight);
  }

  /** WiredTiger takes the target in whole percent, so ours is rounded to the nearest. */
  private long targetPercent() {
    return Math.round(overheadTarget.getAsDouble() * 100);
  }
}
