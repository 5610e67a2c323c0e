// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdmissionChainTest extends AdmissionContract {
  private final List<String> calls = new ArrayList<>();

  @Override
  protected AdmissionFactory factory() {
    return AdmissionChain.of(
        SourceFilter.only(Source.READ), SmallBypass::new, DecayingOverheadBypass::new);
  }

  @Test
  void shouldAnswerWithTheFirstRefusalAndAskNoFurther() {
    AdmissionPolicy chain =
        chain(
            link("a", AdmissionDecision.ADMIT),
            link("b", AdmissionDecision.NOT_WORTH_IT),
            link("c", AdmissionDecision.BYPASS_SMALL));
    assertThat(decide(chain)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    assertThat(calls).containsExactly("decide a", "decide b", "takeBack a");
  }

  @Test
  void shouldTakeBackFromAllLinksWhatAllAdmitted() {
    AdmissionPolicy chain =
        chain(link("a", AdmissionDecision.ADMIT), link("b", AdmissionDecision.ADMIT));
    assertThat(decide(chain)).isEqualTo(AdmissionDecision.ADMIT);
    takeBack(chain);
    assertThat(calls).containsExactly("decide a", "decide b", "takeBack b", "takeBack a");
  }

  @Test
  void shouldNotChargeTheBudgetForABlockThatALaterLinkRefuses() {
    AdmissionPolicy chain =
        AdmissionChain.of(DecayingOverheadBypass::new, SourceFilter.only(Source.READ))
            .create(context(0));
    traffic.lookUp(1_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(decide(chain, Source.SCAN)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    }
    assertThat(chain.overhead()).hasValue(0);
    assertThat(decide(chain)).isEqualTo(AdmissionDecision.ADMIT);
  }

  @Test
  void shouldTakeBackFromTheLinksThatAgreed_WhenALaterOneThrows() {
    Link broken = link("c", AdmissionDecision.ADMIT);
    broken.failure = new IllegalStateException("broken");
    AdmissionPolicy chain =
        chain(link("a", AdmissionDecision.ADMIT), link("b", AdmissionDecision.ADMIT), broken);
    assertThatThrownBy(() -> decide(chain)).isSameAs(broken.failure);
    assertThatThrownBy(() -> chain.readmits(1, 1)).isSameAs(broken.failure);
    assertThatThrownBy(() -> chain.decide(Candidate.expected(1, 0, 1, Source.COMPACTION, 1)))
        .isSameAs(broken.failure);
    assertThat(calls)
        .filteredOn(call -> !call.startsWith("decide"))
        .containsExactly(
            "takeBack b", "takeBack a", "takeBack b", "takeBack a", "takeBack b", "takeBack a");
  }

  @Test
  void shouldTakeBackFromAllLinks_ThoughOneThrows() {
    Link broken = link("b", AdmissionDecision.ADMIT);
    AdmissionPolicy chain =
        chain(link("a", AdmissionDecision.ADMIT), broken, link("c", AdmissionDecision.ADMIT));
    assertThat(decide(chain)).isEqualTo(AdmissionDecision.ADMIT);
    broken.failure = new IllegalStateException("broken");
    assertThatThrownBy(() -> takeBack(chain)).isSameAs(broken.failure);
    assertThat(calls).endsWith("takeBack c", "takeBack b", "takeBack a");
  }

  @Test
  void shouldCloseWhatWasMade_WhenALaterFactoryFails() {
    Link made = link("a", AdmissionDecision.ADMIT);
    AdmissionFactory chain =
        AdmissionChain.of(
            context -> made,
            context -> {
              throw new IllegalStateException("no policy");
            });
    assertThatThrownBy(() -> chain.create(context(0))).hasMessage("no policy");
    assertThat(calls).containsExactly("close a");
  }

  @Test
  void shouldEvictOnlyIfAllLinksAllowIt() {
    Link reluctant = link("b", AdmissionDecision.ADMIT);
    AdmissionPolicy chain = chain(link("a", AdmissionDecision.ADMIT), reluctant);
    assertThat(chain.mayEvict()).isTrue();
    reluctant.mayEvict = false;
    assertThat(chain.mayEvict()).isFalse();
  }

  @Test
  void shouldReportTheFirstOverheadThatIsKept() {
    Link second = link("b", AdmissionDecision.ADMIT);
    Link third = link("c", AdmissionDecision.ADMIT);
    AdmissionPolicy chain = chain(link("a", AdmissionDecision.ADMIT), second, third);
    assertThat(chain.overhead()).isEmpty();
    third.overhead = OptionalDouble.of(0.3);
    assertThat(chain.overhead()).hasValue(0.3);
    second.overhead = OptionalDouble.of(0.2);
    assertThat(chain.overhead()).hasValue(0.2);
  }

  @Test
  void shouldSumWhatItsLinksHold() {
    AdmissionPolicy chain =
        chain(link("a", AdmissionDecision.ADMIT), link("b", AdmissionDecision.ADMIT));
    assertThat(chain.metadataBytes()).isEqualTo(14);
  }

  @Test
  void shouldAdmitEverythingWithoutLinks() {
    AdmissionPolicy chain = chain();
    assertThat(decide(chain, Source.SCAN)).isEqualTo(AdmissionDecision.ADMIT);
    assertThat(chain.mayEvict()).isTrue();
    assertThat(chain.overhead()).isEmpty();
  }

  private AdmissionPolicy chain(Link... links) {
    AdmissionFactory[] factories = new AdmissionFactory[links.length];
    for (int i = 0; i < links.length; i++) {
      Link link = links[i];
      factories[i] = context -> link;
    }
    return AdmissionChain.of(factories).create(context(0));
  }

  private Link link(String name, AdmissionDecision decision) {
    return new Link(name, decision);
  }

  private final class Link implements AdmissionPolicy {
    private final String name;
    private final AdmissionDecision decision;
    private boolean mayEvict = true;
    private @Nullable RuntimeException failure;
    private OptionalDouble overhead = OptionalDouble.empty();

    Link(String name, AdmissionDecision decision) {
      this.name = name;
      this.decision = decision;
    }

    @Override
    public long metadataBytes() {
      return 7;
    }

    @Override
    public AdmissionDecision decide(Candidate candidate) {
      calls.add("decide " + name);
      fail();
      return decision;
    }

    private void fail() {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public boolean readmits(int gain, int lengthBytes) {
      fail();
      return decision == AdmissionDecision.ADMIT;
    }

    @Override
    public void refundReadmission(int lengthBytes) {
      calls.add("takeBack " + name);
    }

    @Override
    public void close() {
      calls.add("close " + name);
    }

    @Override
    public void refund(Candidate candidate) {
      calls.add("takeBack " + name);
      fail();
    }

    @Override
    public boolean mayEvict() {
      return mayEvict;
    }

    @Override
    public OptionalDouble overhead() {
      return overhead;
    }
  }
}
