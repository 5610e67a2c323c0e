// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.control.ShadowReport;
import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What listeners hear of the shadows' settings, and what they find there when they hear it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ShadowChangesTest {
  private static final Set<State> BLOCKED = EnumSet.of(State.BLOCKED, State.WAITING);

  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(4096)
          .smallBypassDramBytes(0)
          .maintainedByCaller()
          .shadows(0.5, "live@20%")
          .build();

  @AfterEach
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void close() {
    cache.close();
  }

  @Test
  void shouldHaveTheNewSettingsInPlaceWhenListenersHearOfThem() {
    List<Object> found = new ArrayList<>();
    cache
        .control()
        .settings()
        .addListener(
            (setting, before, after) -> {
              found.add(after);
              found.add(
                  setting.equals("shadowCandidates")
                      ? cache.control().shadows().candidates()
                      : cache.control().shadows().sampleRatio());
            });

    cache.control().shadows().setCandidates(List.of("live@5%", "paper"));
    cache.control().shadows().setSampleRatio(0.25);

    assertThat(found)
        .containsExactly(List.of("live@5%", "paper"), List.of("live@5%", "paper"), 0.25, 0.25);
  }

  @Test
  void shouldShowTheCandidatesThatRunAfterAListenerThrew() {
    cache
        .control()
        .settings()
        .addListener(
            (setting, before, after) -> {
              throw new IllegalStateException("injected");
            });

    cache.control().shadows().setCandidates(List.of("admit-all"));

    assertThat(cache.control().shadows().candidates()).containsExactly("admit-all");
    assertThat(cache.control().shadows().report().candidates())
        .extracting(ShadowReport.Candidate::name)
        .containsExactly("admit-all");
  }

  /** While another thread is about to change them, too. */
  @Test
  void shouldLetListenersOfOtherSettingsLookAtTheShadows() throws Exception {
    Thread other = new Thread(() -> cache.control().shadows().setCandidates(List.of("paper")));
    other.setDaemon(true);
    List<List<String>> found = new ArrayList<>();
    cache
        .control()
        .settings()
        .addListener(
            (setting, before, after) -> {
              if (setting.equals("overheadTarget")) {
                other.start();
                while (!BLOCKED.contains(other.getState())) {
                  Thread.onSpinWait();
                }
                found.add(cache.control().shadows().candidates());
              }
            });

    cache.control().settings().setOverheadTarget(0.3);
    other.join();

    assertThat(found).containsExactly(List.of("live@20%"));
    assertThat(cache.control().shadows().candidates()).containsExactly("paper");
  }

  @Test
  @SuppressWarnings("NullAway") // As JMX may pass it.
  void shouldRefuseCandidatesThatAreMissingOrThereTwice() {
    for (List<String> wrong :
        Arrays.<List<String>>asList(null, Arrays.asList("paper", null), List.of("live", "live"))) {
      assertThatThrownBy(() -> cache.control().shadows().setCandidates(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(cache.control().shadows().candidates()).containsExactly("live@20%");
  }
}
