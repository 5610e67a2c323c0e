// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.internal.settings.EngineSettings;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LiveSettingTest {
  private final LiveSettings settings = new EngineSettings();

  @ParameterizedTest
  @EnumSource
  void shouldBeginWithTheStandardValueAndTakeTheEndsOfTheRange(LiveSetting setting) {
    assertThat(settings.get(setting)).isEqualTo(setting.standard());
    for (Object value : List.of(setting.least(), setting.most(), setting.standard())) {
      settings.set(setting, value);
      assertThat(settings.get(setting)).isEqualTo(value);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseOtherValuesAndOtherTypes(LiveSetting setting) {
    List<Object> bad =
        setting.isRatio()
            ? List.of(-0.01, 10.01, Double.NaN, 1L, "0.1")
            : setting.isDuration()
                ? List.of(Duration.ofMillis(999), Duration.ofDays(365).plusNanos(1), 1800L)
                : List.of(-1L, 1, 0.5);
    for (Object value : bad) {
      assertThatThrownBy(() -> settings.set(setting, value))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(setting.settingName() + " is " + value + "; it must be between ")
          .hasMessageEndingWith("; the setting stays as it was");
      assertThat(settings.get(setting)).isEqualTo(setting.standard());
    }
  }

  /** The typed methods are views of the rows of their names; a row may do without. */
  @Test
  void shouldGetAndSetByTypedMethodsToo() throws Exception {
    List<Method> getters =
        Arrays.stream(Settings.class.getMethods())
            .filter(method -> method.getParameterCount() == 0)
            .toList();
    assertThat(getters).hasSize(10);
    for (Method getter : getters) {
      String name = getter.getName();
      String setter = "set" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
      LiveSetting row = row(name);
      LiveSettings.class.getMethod(setter, getter.getReturnType()).invoke(settings, row.most());
      assertThat(getter.invoke(settings)).as(name).isEqualTo(row.most());
      settings.set(row, row.standard());
      assertThat(getter.invoke(settings)).as(name).isEqualTo(row.standard());
    }
  }

  private static LiveSetting row(String name) {
    return Arrays.stream(LiveSetting.values())
        .filter(setting -> setting.settingName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldTakeMinusZeroAsZero() {
    settings.setOverheadTarget(-0.0);
    assertThat(settings.overheadTarget()).isZero();
  }
}
