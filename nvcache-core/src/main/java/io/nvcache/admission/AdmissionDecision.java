// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/** The answer of an admission policy to one candidate. */
public enum AdmissionDecision {
  /** Write it to the medium. */
  ADMIT,
  /** Refuse: the data set fits in DRAM. */
  BYPASS_SMALL,
  /** Refuse: medium writes per lookup are over the target. */
  BYPASS_OVERHEAD,
  /** Refuse: not worth a write. */
  NOT_WORTH_IT
}
