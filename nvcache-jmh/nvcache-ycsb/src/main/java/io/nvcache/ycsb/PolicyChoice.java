// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.BlockCacheBuilder;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.LfruEviction;
import io.nvcache.report.Labelled;

/** What is compared: no second tier, and second tiers that differ in their policies only. */
public enum PolicyChoice implements Labelled {
  /** The DRAM tier and the disk. */
  NONE("no second tier"),
  /** What caches did before: every block that is read is written to the medium. */
  ADMIT_ALL("second tier that admits every block and evicts by CLOCK"),
  /** The overhead bypass and LFRU of SoCC '22, §3.2.3. */
  PAPER("second tier with the paper's overhead bypass (OBP) and LFRU eviction"),
  /** Whatever a cache does that is built without naming policies. */
  DEFAULT("second tier with NVCache's default policies");

  private final String explanation;

  PolicyChoice(String explanation) {
    this.explanation = explanation;
  }

  /** One line for the report. */
  public String explanation() {
    return explanation;
  }

  void configure(BlockCacheBuilder cache) {
    switch (this) {
      case NONE, DEFAULT -> {}
      case ADMIT_ALL -> cache.admission(AdmissionPresets.admitAll()).eviction(ClockEviction::new);
      case PAPER -> cache.admission(AdmissionPresets.paper()).eviction(LfruEviction::new);
    }
  }
}
