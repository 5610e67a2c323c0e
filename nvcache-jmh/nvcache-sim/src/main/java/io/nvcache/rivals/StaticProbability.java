// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;

/**
 * Admits by lot, with one probability for all: the simplest way to write less, also found in J.
 * Arulraj et al., "Multi-Tier Buffer Management and Storage System Design for Non-Volatile Memory"
 * (2019), there tuned per workload.
 */
public final class StaticProbability implements AdmissionPolicy {
  private final double probability;
  private final Lots lots;

  /**
   * Makes a policy.
   *
   * @param probability 0 to 1
   */
  public StaticProbability(double probability, long seed) {
    this.probability = probability;
    this.lots = new Lots(seed);
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    return lots.draw() < probability ? AdmissionDecision.ADMIT : AdmissionDecision.NOT_WORTH_IT;
  }
}
