// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.Traffic;
import io.nvcache.control.Settings;
import java.util.OptionalDouble;

/**
 * Holds any policy to the budget: refuses while inserts and removals since the start, each removal
 * by its weight, exceed the target per lookup. It is the paper's overhead bypass (SoCC '22, §3.2.3)
 * without WiredTiger's rounding, so that a target of 10 % is 10 % and not almost 11.
 */
public final class CumulativeGate implements AdmissionPolicy {
  private final Traffic traffic;
  private final Settings settings;
  private final double removalWeight;

  public CumulativeGate(AdmissionContext context) {
    this(context, context.removalWeight());
  }

  private CumulativeGate(AdmissionContext context, double removalWeight) {
    this.traffic = context.traffic();
    this.settings = context.settings();
    this.removalWeight = removalWeight;
  }

  /** Counts a removal like an insert, as the paper does, whatever removals cost on the medium. */
  public static CumulativeGate countingRemovals(AdmissionContext context) {
    return new CumulativeGate(context, 1);
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    return mayEvict() ? AdmissionDecision.ADMIT : AdmissionDecision.BYPASS_OVERHEAD;
  }

  @Override
  public boolean mayEvict() {
    return writes() < settings.overheadTarget() * traffic.lookups();
  }

  @Override
  public OptionalDouble overhead() {
    double writes = writes();
    return OptionalDouble.of(writes == 0 ? 0 : writes / traffic.lookups());
  }

  private double writes() {
    return traffic.insertedBlocks() + removalWeight * traffic.removedBlocks();
  }
}
