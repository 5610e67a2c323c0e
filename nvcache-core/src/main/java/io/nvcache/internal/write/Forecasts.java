// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.policy.GuardedAdmission;

/** Tells admission which blocks of outputs will be hot, before lookups miss them. */
public final class Forecasts {
  private final CallGate gate;
  private final GuardedAdmission admission;

  /** Bytes that all rewrites have reserved. */
  private long reservedBytes;

  public Forecasts(CallGate gate, GuardedAdmission admission) {
    this.gate = gate;
    this.admission = admission;
  }

  /** Tells the recent lookups that a block is worth. */
  public void tell(long fileId, long offset, double recentLookups) {
    inside(() -> admission.prime(fileId, offset, recentLookups));
  }

  /**
   * Reserves more free room, or less, in addition to what other rewrites reserve; see {@link
   * io.nvcache.admission.HeatAware#reserve}.
   */
  public synchronized void reserve(double recentLookups, long moreBytes) {
    reservedBytes += moreBytes;
    inside(() -> admission.reserve(recentLookups, reservedBytes));
  }

  private void inside(Runnable call) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return;
    }
    try {
      if (!gate.isClosed()) {
        call.run();
      }
    } finally {
      gate.end(stripe);
    }
  }
}
