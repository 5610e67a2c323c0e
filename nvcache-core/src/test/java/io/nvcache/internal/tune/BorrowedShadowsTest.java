// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.control.ShadowReport;
import io.nvcache.control.Shadows;
import io.nvcache.tuning.TargetTuner.Prospect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Shadows whose reports are made up. */
final class BorrowedShadowsTest {
  private static final class MadeUp implements Shadows {
    private double ratio;
    private List<String> candidates = List.of("paper");
    private ShadowReport report = ShadowReport.OFF;

    @Override
    public double sampleRatio() {
      return ratio;
    }

    @Override
    public void setSampleRatio(double wanted) {
      ratio = wanted;
    }

    @Override
    public void chooseSampleRatio() {
      ratio = 0.1;
    }

    @Override
    public List<String> candidates() {
      return candidates;
    }

    @Override
    public void setCandidates(List<String> specs) {
      candidates = specs;
    }

    @Override
    public ShadowReport report() {
      return report;
    }

    @Override
    public void reset() {}

    void say(long lookups, ShadowReport.Candidate... found) {
      report =
          new ShadowReport(ratio, lookups, 0, lookups, 0, List.of(), List.of(found), List.of());
    }
  }

  private final MadeUp shadows = new MadeUp();
  private final BorrowedShadows borrowed = new BorrowedShadows(shadows, List.of(0.01, 0.2));

  private static ShadowReport.Candidate candidate(String name, double hits, double writes) {
    return new ShadowReport.Candidate(name, 1, 1, hits, writes, 0, 0);
  }

  @Test
  void shouldMatchCandidatesByNameWhateverTheirOrder() {
    shadows.say(10_000, candidate("live@1.000%", 0.1, 0.01), candidate("live@20.000%", 0.5, 0.1));
    assertThat(borrowed.prospects()).as("nothing to compare with").isEmpty();

    List<ShadowReport.Candidate> found = new ArrayList<>();
    found.add(candidate("paper", 0.9, 0.9));
    found.add(candidate("live@20.000%", 0.6, 0.2));
    found.add(candidate("live@1.000%", 0.2, 0.01));
    shadows.say(20_000, found.toArray(ShadowReport.Candidate[]::new));

    assertThat(borrowed.prospects())
        .usingRecursiveFieldByFieldElementComparator()
        .hasSize(2)
        .anySatisfy(prospect -> assertIs(prospect, 0.2, 0.7, 0.3))
        .anySatisfy(prospect -> assertIs(prospect, 0.01, 0.3, 0.01));
  }

  /** Which lookups count: those of the last one to two spans, however long it all runs. */
  @Test
  void shouldCompareWithWhatWasOneOrTwoSpansAgo() {
    long lookups = 0;
    for (int ask = 0; ask < 10 * BorrowedShadows.ASKS_PER_SPAN; ask++) {
      lookups += 100;
      shadows.say(lookups, candidate("live@1.000%", 0, 0), candidate("live@20.000%", 0, 0));
      borrowed.prospects();
    }
    // From here on every lookup hits at the higher target.
    long before = lookups;
    for (int ask = 0; ask < 2 * BorrowedShadows.ASKS_PER_SPAN; ask++) {
      lookups += 100;
      double hits = (double) (lookups - before) / lookups;
      shadows.say(lookups, candidate("live@1.000%", 0, 0), candidate("live@20.000%", hits, 0));
      borrowed.prospects();
    }
    assertThat(borrowed.prospects())
        .filteredOn(prospect -> prospect.target() == 0.2)
        .singleElement()
        .satisfies(prospect -> assertThat(prospect.hitRatio()).isGreaterThan(0.99));
  }

  @Test
  void shouldSayNothing_WhileTooFewLookupsWereSampled() {
    long lookups = 10;
    for (int ask = 0; ask < 5; ask++) {
      shadows.say(lookups, candidate("live@1.000%", 0, 0), candidate("live@20.000%", 1, 0));
      assertThat(borrowed.prospects()).isEmpty();
      lookups += 200;
    }
  }

  private static void assertIs(Prospect prospect, double target, double hits, double writes) {
    assertThat(prospect.target()).isEqualTo(target);
    assertThat(Math.abs(prospect.hitRatio() - hits)).isLessThan(1e-9);
    assertThat(Math.abs(prospect.writesPerLookup() - writes)).isLessThan(1e-9);
  }

  @Test
  void shouldSeeForeignChangesAndGiveBackTheRest() {
    assertThat(shadows.candidates).containsExactly("live@1.000%", "live@20.000%");
    assertThat(shadows.ratio).isEqualTo(0.1);
    assertThat(borrowed.foreignChange()).isEmpty();

    shadows.setSampleRatio(0.3);
    assertThat(borrowed.foreignChange()).hasValueSatisfying(why -> assertThat(why).contains("30"));
    borrowed.giveBack();

    assertThat(shadows.candidates).containsExactly("paper");
    assertThat(shadows.ratio).isEqualTo(0.3);
  }
}
