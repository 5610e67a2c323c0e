// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import java.util.SplittableRandom;

/**
 * CacheLib's "dynamic random" as it is deployed: admits by lot, with a probability steered each
 * minute to a rate in bytes a second that an operator has set (B. Berg et al., "The CacheLib
 * Caching Engine", OSDI 2020, §4.3; its change is at most a quarter a step). {@link
 * io.nvcache.rivals.DynamicRandom} is the same in lookups.
 */
final class RandomToByteRate implements AdmissionPolicy {
  private static final double SECONDS_PER_UPDATE = 60;
  private static final double MOST_CHANGE = 1.25;
  private static final double LEAST_CHANGE = 0.75;
  private static final double LEAST = 0.001;

  private final TierContext context;
  private final double bytesPerSecond;
  private final SplittableRandom random;
  private double probability = 1;
  private double nextUpdate = SECONDS_PER_UPDATE;
  private double admittedBytes;

  RandomToByteRate(TierContext context, double bytesPerSecond) {
    this.context = context;
    this.bytesPerSecond = bytesPerSecond;
    this.random = new SplittableRandom(context.seed());
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    if (context.storeSeconds() >= nextUpdate) {
      update();
    }
    if (random.nextDouble() >= probability) {
      return AdmissionDecision.NOT_WORTH_IT;
    }
    admittedBytes += candidate.lengthBytes();
    return AdmissionDecision.ADMIT;
  }

  @Override
  public void refund(Candidate candidate) {
    admittedBytes -= candidate.lengthBytes();
  }

  private void update() {
    // Bytes and seconds are both divided by the scale, so the rate is not.
    double wanted = bytesPerSecond * SECONDS_PER_UPDATE / context.scale();
    double change = admittedBytes > 0 ? wanted / admittedBytes : MOST_CHANGE;
    change = Math.max(LEAST_CHANGE, Math.min(MOST_CHANGE, change));
    probability = Math.max(LEAST, Math.min(1, probability * change));
    admittedBytes = 0;
    nextUpdate = context.storeSeconds() + SECONDS_PER_UPDATE;
  }
}
