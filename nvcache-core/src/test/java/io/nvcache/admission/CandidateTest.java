// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.Source;
import io.nvcache.testing.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidateTest {
  private static final class Reused extends Candidate {
    void next(long offset) {
      set(1, offset, 4_096, Source.READ, Double.NaN);
    }
  }

  private static AdmissionPolicy policy() {
    return new AdmissionPolicy() {
      @Override
      public AdmissionDecision decide(Candidate candidate) {
        return AdmissionDecision.ADMIT;
      }
    };
  }

  @Test
  void shouldKeepAReceiptForEachPolicy() {
    Candidate candidate = Candidate.of(1, 0, 4_096, Source.READ);
    List<AdmissionPolicy> policies = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      AdmissionPolicy policy = policy();
      policies.add(policy);
      assertThat(candidate.hasCharged(policy)).isFalse();
      candidate.charge(policy, -1);
      candidate.charge(policy, i);
    }
    for (int i = 0; i < 9; i++) {
      assertThat(candidate.hasCharged(policies.get(i))).isTrue();
      assertThat(candidate.receipt(policies.get(i))).isEqualTo(i);
    }
  }

  /** Else the receipts of all later blocks would be sought where there are none. */
  @Test
  void shouldStayAsItWasWithoutMemoryForMoreReceipts() throws Exception {
    assertThat(ChildJvm.run(List.of("-Xmx16m", "-XX:+UseSerialGC"), ScarceReceipts.class))
        .contains("true, inconsistent 0, sound true");
  }

  @Test
  void shouldForgetReceiptsWithTheNextBlock() {
    Reused candidate = new Reused();
    AdmissionPolicy policy = policy();
    candidate.next(0);
    candidate.charge(policy, 1);
    candidate.next(4_096);
    assertThat(candidate.hasCharged(policy)).isFalse();
    assertThatThrownBy(() -> candidate.receipt(policy))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was not charged");
  }

  @Test
  void shouldSayWhatIsKnownOfABlock() {
    Candidate plain = Candidate.of(1, 2, 3, Source.SCAN);
    assertThat(plain.isExpected()).isFalse();
    assertThat(plain.isOfferedAgain()).isFalse();
    assertThat(plain).hasToString("block 1:2, 3 bytes, SCAN");
    assertThat(Candidate.offeredAgain(1, 2, 3, Source.READ).isOfferedAgain()).isTrue();
    assertThat(Candidate.expected(1, 2, 3, Source.COMPACTION, 4).recentLookups()).isEqualTo(4);
  }
}
