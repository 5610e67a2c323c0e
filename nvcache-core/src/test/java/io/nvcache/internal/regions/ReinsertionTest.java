// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.internal.guard.GuardSettings;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.PolicyFailures;
import io.nvcache.internal.settings.WriteGovernor;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.SparseMedium;
import io.nvcache.stats.StripedCounters;
import io.nvcache.testing.MutableSettings;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class ReinsertionTest {
  private static final int ALIGNMENT = 4096;
  private static final int LENGTH = 64 << 10;
  private static final long CAPACITY = 4 << 20;

  /** Charges readmissions, and nothing else. */
  private static final class Charged implements AdmissionPolicy {
    long bytes;

    @Override
    public AdmissionDecision decide(Candidate candidate) {
      return AdmissionDecision.ADMIT;
    }

    @Override
    public boolean readmits(int gain, int lengthBytes) {
      bytes += lengthBytes;
      return true;
    }

    @Override
    public void refundReadmission(int lengthBytes) {
      bytes -= lengthBytes;
    }
  }

  /** Else a limit runs out by what is never written. */
  @Test
  void shouldGiveBackWhatItCharged_IfARegionCantBeOpenedForWantOfMemory() {
    RegionCodec scarce =
        new ClearCodec() {
          @Override
          public void openRegion(int region, ByteBuffer header, int at) {
            throw new OutOfMemoryError("injected");
          }
        };
    StripedCounters counters = new StripedCounters();
    MutableSettings settings = new MutableSettings();
    settings.setWriteLimitBytesPerSecond(CAPACITY);
    WriteGovernor governor = new WriteGovernor(settings, () -> 0);
    MediumGuard guard = new MediumGuard(GuardSettings.STANDARD, counters, () -> 0);
    Charged policy = new Charged();
    GuardedAdmission admission = new GuardedAdmission(policy, counters, new PolicyFailures());
    Sizing sizing = Sizing.ofRegions(CAPACITY, Sizing.MAX_REGION_BYTES, ALIGNMENT, LENGTH, LENGTH);
    RegionTable table = new RegionTable(sizing);
    AppendLog log = new AppendLog(table, sizing, ALIGNMENT, new UUID(1, 2), scarce);
    SparseMedium medium = new SparseMedium(CAPACITY, ALIGNMENT, table.regionBytes());
    BlockIndex index = new BlockIndex(64, 1);
    RegionSpace space = new RegionSpace(medium, log, index, scarce, settings, guard, 1 << 20);
    try (index;
        space) {
      Reinsertion reinsertion = new Reinsertion(index, space, admission, governor, counters, guard);
      for (int i = 0; i < 2 * CAPACITY / LENGTH; i++) {
        assertThatThrownBy(() -> reinsertion.reinserts(0, 0, 1, counters.stripe()))
            .isInstanceOf(OutOfMemoryError.class);
      }
      assertThat(governor.tryCharge((int) CAPACITY)).as("all of the limit is left").isTrue();
      assertThat(policy.bytes).isZero();
    }
  }
}
