// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;

/**
 * Refuses a block the first time and admits it when it is offered again soon: CacheLib's "reject
 * first" for flash (B. Berg et al., "The CacheLib Caching Engine", OSDI 2020). Soon means that no
 * more other blocks were refused in between than the cache holds; CacheLib approximates that window
 * with hashed splits, here it is exact.
 */
public final class RejectFirst implements AdmissionPolicy {
  private final NameQueue refused = new NameQueue();
  private final long window;

  public RejectFirst(AdmissionContext context) {
    this.window = context.capacityBlocks();
  }

  @Override
  public synchronized AdmissionDecision decide(Candidate candidate) {
    long name = SlotNames.name(candidate.fileId(), candidate.offset());
    if (refused.contains(name)) {
      return AdmissionDecision.ADMIT;
    }
    refused.put(name, window);
    return AdmissionDecision.NOT_WORTH_IT;
  }
}
