// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;

/** Admission as a whole, ready for the cache's builder. */
public final class AdmissionPresets {
  private AdmissionPresets() {}

  /**
   * Returns the paper's policy with WiredTiger's arithmetic: small bypass, then the cumulative
   * overhead bypass, removals counted in full; blocks read and blocks written are treated alike
   * (SoCC '22, §3.2.3). The small bypass needs {@link
   * io.nvcache.BlockCacheBuilder#smallBypassDramBytes} next to it, which the presets of that name
   * bring.
   */
  public static AdmissionFactory paper() {
    return AdmissionChain.of(SmallBypass::new, CumulativeOverheadBypass::paperFaithful);
  }

  /**
   * Returns the default: small bypass, which is off unless its DRAM is set, then the blocks that
   * are worth the budget most. Meant for {@link io.nvcache.BlockCacheBuilder}'s default eviction,
   * which prices its victims.
   */
  public static AdmissionFactory standard() {
    return AdmissionChain.of(SmallBypass::new, WorthAdmission::new);
  }

  /**
   * Returns the paper's gate with a memory that fades: point reads and fresh blocks, small bypass,
   * and the decaying overhead bypass, which takes whatever comes while the budget lasts.
   *
   * <p>Like the paper this takes blocks on reads and on writes. But each write has to pay for
   * itself in hits, and the other sources don't: a scan and a prefetch bring blocks that no reader
   * asked for by name and that come one after the other, so they would spend the budget just when
   * it is scarce; a compaction rewrites whole files, cold blocks included. Those of their blocks
   * that are wanted come back as reads.
   */
  public static AdmissionFactory decaying() {
    return AdmissionChain.of(
        SourceFilter.only(Source.READ, Source.FLUSH),
        SmallBypass::new,
        DecayingOverheadBypass::new);
  }

  /** Takes everything; for measuring what admission is worth. */
  public static AdmissionFactory admitAll() {
    return context -> new AdmitAll();
  }
}
