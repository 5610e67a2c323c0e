// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import java.util.EnumSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdmissionPresetsTest {
  @Nested
  class Paper extends AdmissionContract {
    @Override
    protected AdmissionFactory factory() {
      return AdmissionPresets.paper();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTreatAllSourcesAlike(Source source) {
      traffic.lookUp(1);
      assertThat(decide(policy(), source)).isEqualTo(AdmissionDecision.ADMIT);
    }

    @Test
    void shouldNameSmallnessBeforeOverhead() {
      AdmissionPolicy policy = policy();
      assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
      settings.setSmallBypassDramBytes(100);
      dataSet.bytes(10);
      assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_SMALL);
    }

    @Test
    void shouldCountRemovalsThoughTheMediumMakesThemFree() {
      AdmissionPolicy policy = factory().create(context(0));
      traffic.lookUp(100).insert(6).remove(6);
      assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
      assertThat(policy.mayEvict()).isFalse();
      assertThat(policy.overhead()).hasValue(0.12);
    }
  }

  @Nested
  class Standard extends AdmissionContract {
    @Override
    protected AdmissionFactory factory() {
      return AdmissionPresets.standard();
    }

    @ParameterizedTest
    @EnumSource
    void shouldAtFirstAdmitOnlyWhatWasAskedForAndWhatIsReadAhead(Source source) {
      traffic.lookUp(1_000);
      boolean admitted = source == Source.READ || source == Source.PREFETCH;
      assertThat(decide(policy(), source))
          .isEqualTo(admitted ? AdmissionDecision.ADMIT : AdmissionDecision.NOT_WORTH_IT);
    }

    @Test
    void shouldBypassSmallDataSetsWithoutChargingForThem() {
      AdmissionPolicy policy = policy();
      traffic.lookUp(1_000);
      settings.setSmallBypassDramBytes(100);
      dataSet.bytes(10);
      assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_SMALL);
      assertThat(policy.overhead()).hasValue(0);
    }
  }

  @Nested
  class Decaying extends AdmissionContract {
    @Override
    protected AdmissionFactory factory() {
      return AdmissionPresets.decaying();
    }

    @ParameterizedTest
    @EnumSource
    void shouldAdmitPointReadsAndFlushesOnly(Source source) {
      traffic.lookUp(1_000);
      boolean admitted = EnumSet.of(Source.READ, Source.FLUSH).contains(source);
      assertThat(decide(policy(), source))
          .isEqualTo(admitted ? AdmissionDecision.ADMIT : AdmissionDecision.NOT_WORTH_IT);
    }

    @Test
    void shouldBypassSmallDataSetsWithoutChargingForThem() {
      AdmissionPolicy policy = policy();
      traffic.lookUp(1_000);
      settings.setSmallBypassDramBytes(100);
      dataSet.bytes(10);
      assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_SMALL);
      assertThat(policy.overhead()).hasValue(0);
    }

    @Test
    void shouldKeepToTheTarget() {
      AdmissionPolicy policy = policy();
      traffic.lookUp(100);
      int admitted = 0;
      while (decide(policy) == AdmissionDecision.ADMIT) {
        admitted++;
      }
      assertThat(admitted).isBetween(9, 10);
      assertThat(decide(policy)).isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
    }
  }
}
