// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/** Takes every block; the paper's baseline <i>alloc-read-write</i> (SoCC '22, §3.2.3). */
public final class AdmitAll implements AdmissionPolicy {
  @Override
  public AdmissionDecision decide(Candidate candidate) {
    return AdmissionDecision.ADMIT;
  }
}
