// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmitAll;
import io.nvcache.control.TuningBounds;
import io.nvcache.control.TuningReport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator sets while tuning runs is the operator's, and so is what was set before. */
final class TuningOverruledTest {
  private static final TuningBounds BOUNDS = new TuningBounds(0.01, 0.5, Duration.ofNanos(20_000));

  private long now;
  private BlockCache cache = open(builder());

  private BlockCacheBuilder builder() {
    return BlockCache.builder()
        .nativeMemory(1 << 20)
        .maxBlockBytes(4096)
        .smallBypassDramBytes(0)
        .testing(TestHook.hashSeed(1), TestHook.nanoTime(() -> now))
        .maintainedByCaller();
  }

  private BlockCache open(BlockCacheBuilder builder) {
    return builder.build();
  }

  private void reopen(BlockCacheBuilder builder) {
    cache.close();
    cache = open(builder);
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      now += TimeUnit.SECONDS.toNanos(1);
      cache.control().maintain();
    }
  }

  private void assertEndedBecause(String reason) {
    TuningReport report = cache.control().tuning().report();
    assertThat(report.state()).as(report.toString()).isEqualTo(TuningReport.State.OFF);
    assertThat(report.reason()).contains(reason);
  }

  @Test
  void shouldRefuseAMediumOfWhichOnlyWholeBlocksCanBeRead() {
    reopen(builder().encrypted());

    assertThatThrownBy(() -> cache.control().tuning().start(BOUNDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only whole blocks can be read")
        .hasMessageContaining("by hand");
    pass(5);
    assertThat(cache.control().tuning().report().state()).isEqualTo(TuningReport.State.OFF);
  }

  @Test
  void shouldEndWhenSomebodyElseSetsTheOverheadTarget() {
    cache.control().shadows().setCandidates(List.of("paper"));
    cache.control().tuning().start(BOUNDS);
    pass(5);
    assertThat(cache.control().tuning().report().state()).isEqualTo(TuningReport.State.EXPLORING);

    cache.control().settings().setOverheadTarget(5);
    pass(60);

    assertThat(cache.control().settings().overheadTarget()).isEqualTo(5);
    assertEndedBecause("overhead target was set to 500.00 %");
    assertThat(cache.control().tuning().report().target()).hasValue(5);
    assertThat(cache.control().shadows().candidates()).containsExactly("paper");
    assertThat(cache.control().shadows().sampleRatio()).isZero();
    cache.control().settings().setOverheadTarget(0.3);
    assertThat(cache.control().tuning().report().target()).as("the live one").hasValue(0.3);
  }

  @Test
  void shouldEndWhenSomebodyElseSetsTheCandidatesAndLeaveThemRunning() {
    cache.control().tuning().start(BOUNDS);
    pass(5);

    cache.control().shadows().setCandidates(List.of("paper"));
    pass(1);

    assertEndedBecause("candidates were set to [paper]");
    assertThat(cache.control().shadows().candidates()).containsExactly("paper");
    assertThat(cache.control().shadows().sampleRatio()).isPositive();
    double target = cache.control().settings().overheadTarget();
    pass(60);
    assertThat(cache.control().settings().overheadTarget()).isEqualTo(target);
  }

  @Test
  void shouldEndWhenSomebodyElseEndsTheShadows() {
    reopen(builder().shadows(0.2, "paper", "live@20%"));
    cache.control().tuning().start(BOUNDS);
    pass(5);

    cache.control().shadows().setSampleRatio(0);
    pass(1);

    assertEndedBecause("sample was set to 0.000 %");
    assertThat(cache.control().shadows().candidates()).containsExactly("paper", "live@20%");
    assertThat(cache.control().shadows().sampleRatio()).isZero();
  }

  @Test
  void shouldLeaveASampleThatSomebodyElseSet() {
    cache.control().tuning().start(BOUNDS);
    pass(5);

    cache.control().shadows().setSampleRatio(0.25);
    pass(1);

    assertEndedBecause("sample was set to 25.000 %");
    assertThat(cache.control().shadows().candidates()).isEmpty();
    assertThat(cache.control().shadows().sampleRatio()).isEqualTo(0.25);
  }

  @Test
  void shouldGiveTheShadowsBackWhenStoppedEvenAfterTwoStarts() {
    reopen(builder().shadows(0.2, "paper", "live@20%"));
    cache.control().tuning().start(BOUNDS);
    pass(5);
    cache.control().tuning().start(new TuningBounds(0.05, 0.2, Duration.ofNanos(20_000)));
    pass(5);
    assertThat(cache.control().shadows().candidates())
        .startsWith("live@5.000%")
        .endsWith("live@20.000%");

    cache.control().tuning().stop();

    assertEndedBecause("stopped");
    assertThat(cache.control().shadows().candidates()).containsExactly("paper", "live@20%");
    assertThat(cache.control().shadows().sampleRatio()).isEqualTo(0.2);
  }

  @Test
  void shouldEndTheShadowsThatWereOffWhenItStarted() {
    cache.control().tuning().start(BOUNDS);
    assertThat(cache.control().shadows().sampleRatio()).isPositive();
    cache.control().tuning().stop();

    assertThat(cache.control().shadows().candidates()).isEmpty();
    assertThat(cache.control().shadows().sampleRatio()).isZero();
  }

  @Test
  void shouldChangeNothingWhenTheShadowsCannotBeStarted() {
    boolean[] made = {false};
    reopen(
        builder()
            .admission(
                context -> {
                  if (made[0]) {
                    throw new IllegalArgumentException("no policy for a shadow");
                  }
                  made[0] = true;
                  return new AdmitAll();
                })
            .shadows(0, "paper"));

    assertThatThrownBy(() -> cache.control().tuning().start(BOUNDS))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(cache.control().shadows().candidates()).containsExactly("paper");
    assertThat(cache.control().tuning().report()).isEqualTo(TuningReport.OFF);
  }

  /** The listener is told with no lock held that the tuning would need. */
  @Test
  void shouldLetAListenerStopIt() {
    cache
        .control()
        .settings()
        .addListener(
            (setting, before, after) -> {
              if (setting.equals("overheadTarget")) {
                cache.control().tuning().stop();
              }
            });
    cache.control().tuning().start(BOUNDS);
    pass(10);

    assertEndedBecause("stopped");
  }
}
