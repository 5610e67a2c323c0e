// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;

/**
 * Takes every block except in sequential runs, as HeuristicDB does (J. Yang et al., SYSTOR 2022, as
 * SoCC '22, §5 sums it up). A run is recognised by addresses: a block that follows one of the last
 * few dozen offered.
 */
final class SequentialBypass implements AdmissionPolicy {
  private static final int REMEMBERED = 64;

  private final long[] ends = new long[REMEMBERED];
  private int next;

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    long offset = candidate.offset();
    long end = offset + candidate.lengthBytes();
    for (int i = 0; i < REMEMBERED; i++) {
      if (ends[i] == offset && offset != 0) {
        ends[i] = end;
        return AdmissionDecision.NOT_WORTH_IT;
      }
    }
    ends[next] = end;
    next = (next + 1) % REMEMBERED;
    return AdmissionDecision.ADMIT;
  }
}
