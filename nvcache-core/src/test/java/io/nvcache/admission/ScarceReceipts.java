// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;
import io.nvcache.testing.HeapFilling;

/**
 * Charges a candidate for more and more policies in a heap that has room for one of the rows that
 * grow, but not for both.
 */
final class ScarceReceipts {
  private static final int POLICIES = 1 << 13;
  private static final int PIECE = 1 << 10;

  private ScarceReceipts() {}

  public static void main(String[] args) {
    AdmissionPolicy[] policies = new AdmissionPolicy[POLICIES + 1];
    for (int i = 0; i < policies.length; i++) {
      policies[i] = new Admitting();
    }
    Candidate candidate = Candidate.of(1, 0, 4096, Source.READ);
    for (int i = 0; i < POLICIES; i++) {
      candidate.charge(policies[i], i);
    }
    int failed = 0;
    int inconsistent = 0;
    Object[] last = new Object[1];
    HeapFilling.addTo(last, PIECE);
    // Each time a little more room, from none to enough.
    while (last[0] != null) {
      try {
        candidate.charge(policies[POLICIES], POLICIES);
        break;
      } catch (OutOfMemoryError e) {
        failed++;
      } catch (ArrayIndexOutOfBoundsException e) {
        inconsistent++;
        break;
      }
      last[0] = ((Object[]) last[0])[0];
    }
    boolean isSound = candidate.hasCharged(policies[POLICIES]);
    for (int i = 0; i < policies.length && isSound && inconsistent == 0; i++) {
      isSound = candidate.receipt(policies[i]) == i;
    }
    last[0] = null;
    System.out.println((failed > 0) + ", inconsistent " + inconsistent + ", sound " + isSound);
  }

  private static final class Admitting implements AdmissionPolicy {
    @Override
    public AdmissionDecision decide(Candidate candidate) {
      return AdmissionDecision.ADMIT;
    }
  }
}
