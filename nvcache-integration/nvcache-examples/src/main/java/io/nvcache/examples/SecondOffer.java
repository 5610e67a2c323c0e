// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Takes a block the second time that it is offered, so that what is read once costs no write.
 * Remembers offers as bits, and forgets all of them after as many as the cache has blocks.
 */
final class SecondOffer implements AdmissionPolicy {
  private final AtomicLongArray bits;
  private final AtomicLong offers = new AtomicLong();
  private final long period;
  private final long seed;

  SecondOffer(AdmissionContext context) {
    long words = Math.min(context.capacityBlocks() / 8 + 1, 1 << 24); // Eight bits a block.
    bits = new AtomicLongArray(Integer.highestOneBit((int) words));
    period = context.capacityBlocks();
    seed = context.hashSeed();
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    if (offers.incrementAndGet() % period == 0) {
      for (int word = 0; word < bits.length(); word++) {
        bits.set(word, 0);
      }
    }
    long hash = ((candidate.fileId() * 31 + candidate.offset()) ^ seed) * 0x9E3779B97F4A7C15L;
    long bit = 1L << (hash >>> 58);
    int word = (int) (hash >>> 24) & (bits.length() - 1);
    boolean seen = (bits.getAndAccumulate(word, bit, (old, mine) -> old | mine) & bit) != 0;
    return seen ? AdmissionDecision.ADMIT : AdmissionDecision.NOT_WORTH_IT;
  }
}
