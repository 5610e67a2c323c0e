// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.control.DataSet;
import io.nvcache.control.Settings;
import java.util.OptionalLong;

/**
 * Takes nothing while enough of the data set fits in DRAM, where the page cache serves it faster
 * than the medium could (SoCC '22, §3.2.3, lesson 1).
 *
 * <p>The rule is WiredTiger's: bypass while {@code bytes · fraction < DRAM}. It multiplies by a
 * whole percentage and divides integers where this one multiplies by a ratio; as the DRAM is a
 * whole number of bytes, the two agree except for the last bit of a ratio that has no exact binary
 * form.
 */
public final class SmallBypass implements AdmissionPolicy {
  private final DataSet dataSet;
  private final Settings settings;

  public SmallBypass(AdmissionContext context) {
    this.dataSet = context.dataSet();
    this.settings = context.settings();
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    return isSmall() ? AdmissionDecision.BYPASS_SMALL : AdmissionDecision.ADMIT;
  }

  @Override
  public boolean readmits(int gain, int lengthBytes) {
    return !isSmall();
  }

  /** Returns false when the bypass is off: no size is less than 0 bytes of DRAM. */
  private boolean isSmall() {
    OptionalLong bytes = dataSet.bytes();
    return bytes.isPresent()
        && bytes.getAsLong() * settings.smallBypassFraction() < settings.smallBypassDramBytes();
  }
}
