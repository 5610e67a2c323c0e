// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.Traffic;
import io.nvcache.control.Settings;

/**
 * Admits by lot with a probability that is steered to a rate of bytes written: CacheLib's "dynamic
 * random" (B. Berg et al., "The CacheLib Caching Engine", OSDI 2020, §4.3, with the constants of
 * its source). Small blocks have better chances than large ones; the factor common to all is
 * multiplied, at each update, by the target rate over the rate observed, by at most a quarter up or
 * down.
 *
 * <p>Deviations: time is counted in lookups, and the target follows from the overhead target: the
 * bytes of as many mean blocks as it allows. Updates come every quarter of the cache's blocks in
 * lookups, where CacheLib waits a minute. Its target over the next day is left out: no trace is
 * that long.
 */
public final class DynamicRandom implements AdmissionPolicy {
  private static final int BASE_BYTES = 4096;
  private static final double SIZE_EXPONENT = 0.3;
  private static final double MOST_CHANGE = 1.25;
  private static final double LEAST_CHANGE = 0.75;
  private static final double MOST_FACTOR = 10;
  private static final double LEAST_FACTOR = 0.001;
  private static final int UPDATES_PER_CAPACITY = 4;

  private final Traffic traffic;
  private final Settings settings;
  private final double removalWeight;
  private final long interval;
  private final Lots lots;

  private double factor = 1;
  private long updatedAt;
  private long admittedBytes;
  private long offeredBytes;
  private long offeredBlocks;

  public DynamicRandom(AdmissionContext context, long seed) {
    this.traffic = context.traffic();
    this.settings = context.settings();
    this.removalWeight = context.removalWeight();
    this.interval = Math.max(1, context.capacityBlocks() / UPDATES_PER_CAPACITY);
    this.lots = new Lots(seed);
  }

  @Override
  public synchronized AdmissionDecision decide(Candidate candidate) {
    int lengthBytes = candidate.lengthBytes();
    long now = traffic.lookups();
    if (now - updatedAt >= interval) {
      update(now);
    }
    offeredBytes += lengthBytes;
    offeredBlocks++;
    if (lots.draw() >= factor * ofSize(lengthBytes)) {
      return AdmissionDecision.NOT_WORTH_IT;
    }
    admittedBytes += lengthBytes;
    return AdmissionDecision.ADMIT;
  }

  @Override
  public synchronized void refund(Candidate candidate) {
    admittedBytes -= candidate.lengthBytes();
  }

  private void update(long now) {
    if (admittedBytes > 0) {
      double meanBytes = (double) offeredBytes / offeredBlocks;
      double target =
          settings.overheadTarget() / (1 + removalWeight) * meanBytes * (now - updatedAt);
      double change = clamp(target / admittedBytes, LEAST_CHANGE, MOST_CHANGE);
      factor = clamp(factor * change, LEAST_FACTOR, MOST_FACTOR);
    }
    updatedAt = now;
    admittedBytes = 0;
  }

  private static double ofSize(int lengthBytes) {
    return Math.pow((double) bits(BASE_BYTES) / bits(lengthBytes), SIZE_EXPONENT);
  }

  private static int bits(int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(value);
  }

  private static double clamp(double value, double least, double most) {
    return Math.max(least, Math.min(most, value));
  }
}
