// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;
import java.util.EnumSet;

/** Takes blocks from some sources only; the others are not worth a write. */
public final class SourceFilter implements AdmissionPolicy {
  private final EnumSet<Source> admitted;

  private SourceFilter(EnumSet<Source> admitted) {
    this.admitted = admitted;
  }

  /** Returns a filter that admits these sources only. */
  public static AdmissionFactory only(Source first, Source... rest) {
    EnumSet<Source> admitted = EnumSet.of(first, rest);
    return context -> new SourceFilter(admitted);
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    return admitted.contains(candidate.source())
        ? AdmissionDecision.ADMIT
        : AdmissionDecision.NOT_WORTH_IT;
  }

  /** It was admitted before. */
  @Override
  public boolean readmits(int gain, int lengthBytes) {
    return true;
  }
}
