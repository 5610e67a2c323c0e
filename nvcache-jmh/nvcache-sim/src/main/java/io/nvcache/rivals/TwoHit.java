// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;

/**
 * Admission at the second miss, by a ghost list in LRU order: what 2Q does with its A1out (T.
 * Johnson and D. Shasha, "2Q: A Low Overhead High Performance Buffer Management Replacement
 * Algorithm", VLDB 1994), whose length, half of the cache's blocks, it has.
 *
 * <p>LARC's list, which adapts from 1/10 of the cache on, does not work below a DRAM tier: no block
 * comes back that soon, and so the list never grows.
 */
public final class TwoHit implements AdmissionPolicy {
  private static final double GHOSTS_PER_BLOCK = 0.5;

  private final NameQueue ghosts = new NameQueue();
  private final long length;

  public TwoHit(AdmissionContext context) {
    this.length = Math.max(1, (long) (GHOSTS_PER_BLOCK * context.capacityBlocks()));
  }

  /** A name stays in the list, because the budget may refuse the block. */
  @Override
  public synchronized AdmissionDecision decide(Candidate candidate) {
    long name = SlotNames.name(candidate.fileId(), candidate.offset());
    boolean again = ghosts.contains(name);
    ghosts.put(name, length);
    return again ? AdmissionDecision.ADMIT : AdmissionDecision.NOT_WORTH_IT;
  }
}
