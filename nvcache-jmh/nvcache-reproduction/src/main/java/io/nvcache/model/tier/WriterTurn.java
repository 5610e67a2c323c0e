// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import java.util.function.IntSupplier;

/**
 * The engine's limit of concurrent writers in virtual time. The engine counts threads inside the
 * medium's write, and here that takes no time; so this link, last in the chain, refuses while as
 * many modelled writes are under way, and the links before it take their decision back, exactly as
 * when the engine answers {@code MEDIUM_BUSY}.
 */
final class WriterTurn implements AdmissionPolicy {
  private final IntSupplier writers;
  private final int maxWriters;

  WriterTurn(IntSupplier writers, int maxWriters) {
    this.writers = writers;
    this.maxWriters = maxWriters;
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    return writers.getAsInt() < maxWriters
        ? AdmissionDecision.ADMIT
        : AdmissionDecision.NOT_WORTH_IT;
  }
}
