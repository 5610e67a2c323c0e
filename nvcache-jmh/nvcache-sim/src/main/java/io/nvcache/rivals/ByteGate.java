// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.Traffic;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;

/**
 * Holds any policy to the budget as {@link CumulativeGate} does, but counts bytes, in blocks of the
 * expected length: where blocks are longer or shorter, policies are compared at equal bytes written
 * to the device.
 */
final class ByteGate implements AdmissionPolicy {
  private final Traffic traffic;
  private final DoubleSupplier target;
  private final double removalWeight;
  private final double expectedBlockBytes;
  private double admitted;

  ByteGate(AdmissionContext context) {
    this.traffic = context.traffic();
    this.target = context.overheadTarget();
    this.removalWeight = context.removalWeight();
    this.expectedBlockBytes = context.expectedBlockBytes();
  }

  @Override
  public synchronized AdmissionDecision decide(Candidate candidate) {
    if (!mayEvict()) {
      return AdmissionDecision.BYPASS_OVERHEAD;
    }
    admitted += candidate.lengthBytes() / expectedBlockBytes;
    return AdmissionDecision.ADMIT;
  }

  @Override
  public synchronized void refund(Candidate candidate) {
    admitted -= candidate.lengthBytes() / expectedBlockBytes;
  }

  @Override
  public synchronized boolean mayEvict() {
    return writes() < target.getAsDouble() * traffic.lookups();
  }

  @Override
  public synchronized OptionalDouble overhead() {
    double writes = writes();
    return OptionalDouble.of(writes == 0 ? 0 : writes / traffic.lookups());
  }

  private double writes() {
    return admitted + removalWeight * traffic.removedBlocks();
  }
}
