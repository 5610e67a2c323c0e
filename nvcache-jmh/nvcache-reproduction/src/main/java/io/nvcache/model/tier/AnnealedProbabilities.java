// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import java.util.SplittableRandom;

/**
 * Admission by lot with one probability for blocks read and one for blocks written, tuned on
 * throughput by simulated annealing: J. Arulraj et al., "Multi-Tier Buffer Management and Storage
 * System Design for Non-Volatile Memory" (2019), §3.3, §3.4 and §4, where N_r and N_w are the
 * probabilities of <i>bypassing</i>.
 */
final class AnnealedProbabilities implements AdmissionPolicy {
  private static final double SECONDS_PER_TRIAL = 20;
  private static final double FIRST_TEMPERATURE = 0.2;
  private static final double COOLING = 0.9;
  private static final double LARGEST_MOVE = 0.25;

  private final TierContext context;
  private final SplittableRandom random;
  private final double[] best = {0.5, 0.5};
  private final double[] tried = {0.5, 0.5};
  private double bestThroughput;
  private double temperature = FIRST_TEMPERATURE;
  private double trialEnds = SECONDS_PER_TRIAL;
  private long operationsBefore;

  AnnealedProbabilities(TierContext context) {
    this.context = context;
    this.random = new SplittableRandom(context.seed());
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    if (context.storeSeconds() >= trialEnds) {
      endTrial();
    }
    double probability = tried[candidate.source() == Source.FLUSH ? 1 : 0];
    return random.nextDouble() < probability
        ? AdmissionDecision.ADMIT
        : AdmissionDecision.NOT_WORTH_IT;
  }

  private void endTrial() {
    long operations = context.operations().getAsLong();
    double throughput = operations - operationsBefore;
    operationsBefore = operations;
    trialEnds = context.storeSeconds() + SECONDS_PER_TRIAL;
    double loss = bestThroughput == 0 ? 0 : (bestThroughput - throughput) / bestThroughput;
    if (loss <= 0 || random.nextDouble() < StrictMath.exp(-loss / temperature)) {
      System.arraycopy(tried, 0, best, 0, best.length);
      bestThroughput = throughput;
    }
    temperature *= COOLING;
    for (int i = 0; i < tried.length; i++) {
      double move = LARGEST_MOVE * (2 * random.nextDouble() - 1);
      tried[i] = Math.max(0, Math.min(1, best[i] + move));
    }
  }
}
