// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;

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
  public AdmissionDecision decide(long fileId, long offset, int lengthBytes, Source source) {
    for (int i = 0; i < REMEMBERED; i++) {
      if (ends[i] == offset && offset != 0) {
        ends[i] = offset + lengthBytes;
        return AdmissionDecision.NOT_WORTH_IT;
      }
    }
    ends[next] = offset + lengthBytes;
    next = (next + 1) % REMEMBERED;
    return AdmissionDecision.ADMIT;
  }
}
