// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.control.SettingListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SettingChangesTest {
  private final EngineSettings settings = new EngineSettings();
  private final List<String> heard = new ArrayList<>();
  private final SettingListener listener =
      (setting, before, after) -> heard.add(setting + " " + before + " > " + after);

  private static final SettingListener THROWING =
      (setting, before, after) -> {
        throw new IllegalArgumentException("injected");
      };

  @Test
  void shouldKeepAChangeAndTellTheOthersWhenAListenerThrows() {
    settings.addListener(THROWING);
    settings.addListener(
        (setting, before, after) -> {
          throw new AssertionError("injected");
        });
    settings.addListener(listener);

    settings.setOverheadTarget(0.33);

    assertThat(settings.overheadTarget()).isEqualTo(0.33);
    assertThat(heard).containsExactly("overheadTarget 0.1 > 0.33");
  }

  @Test
  void shouldTellChangesThatAListenerMakesAfterTheOneItHeardOf() {
    settings.addListener(
        (setting, before, after) -> {
          settings.setFullTarget(0.5);
          settings.setOverheadTarget(0.2);
        });
    settings.addListener(listener);

    settings.setOverheadTarget(0.3);

    assertThat(heard)
        .containsExactly(
            "overheadTarget 0.1 > 0.3", "fullTarget 0.95 > 0.5", "overheadTarget 0.3 > 0.2");
    assertThat(settings.overheadTarget()).isEqualTo(0.2);
  }

  @Test
  void shouldTellNothingOfWhatChangesNothingAndNothingToWhoLeft() {
    settings.addListener(listener);
    settings.setOverheadTarget(settings.overheadTarget());
    settings.removeListener(listener);
    settings.setOverheadTarget(0.3);

    assertThat(heard).isEmpty();
  }

  @Test
  void shouldTellAtTheEndOfAllThatBelongsTogetherEvenIfItThrows() {
    settings.addListener(listener);

    assertThatThrownBy(
            () ->
                settings
                    .changes()
                    .make(
                        () -> {
                          settings.setOverheadTarget(0.3);
                          assertThat(heard).isEmpty();
                          settings.setFullTarget(2);
                        }))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(heard).containsExactly("overheadTarget 0.1 > 0.3");
  }
}
