// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdmitAllTest extends AdmissionContract {
  @Override
  protected AdmissionFactory factory() {
    return AdmissionPresets.admitAll();
  }

  @ParameterizedTest
  @EnumSource
  void shouldAdmitEverySourceWhateverTheOverhead(Source source) {
    traffic.insert(1_000).remove(1_000);
    AdmissionPolicy policy = policy();
    assertThat(decide(policy, source)).isEqualTo(AdmissionDecision.ADMIT);
    assertThat(policy.mayEvict()).isTrue();
    assertThat(policy.overhead()).isEmpty();
  }
}
