// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SourceFilterTest extends AdmissionContract {
  private static final Set<Source> ADMITTED = EnumSet.of(Source.READ, Source.PREFETCH);

  @Override
  protected AdmissionFactory factory() {
    return SourceFilter.only(Source.READ, Source.PREFETCH);
  }

  @ParameterizedTest
  @EnumSource
  void shouldAdmitTheGivenSourcesOnly(Source source) {
    assertThat(decide(policy(), source))
        .isEqualTo(
            ADMITTED.contains(source) ? AdmissionDecision.ADMIT : AdmissionDecision.NOT_WORTH_IT);
  }
}
