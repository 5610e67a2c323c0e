// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;

/** Takes every block; the paper's baseline <i>alloc-read-write</i> (SoCC '22, §3.2.3). */
public final class AdmitAll implements AdmissionPolicy {
  @Override
  public AdmissionDecision decide(long fileId, long offset, int lengthBytes, Source source) {
    return AdmissionDecision.ADMIT;
  }
}
