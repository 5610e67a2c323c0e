// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.internal.settings.EngineSettings;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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

  /** The typed methods are views of the rows of their names; a row may do without either. */
  @Test
  void shouldGetAndSetByTypedMethodsToo() throws Exception {
    List<Method> getters =
        Arrays.stream(Settings.class.getMethods())
            .filter(method -> method.getParameterCount() == 0)
            .toList();
    for (Method getter : getters) {
      LiveSetting row = row(getter.getName());
      settings.set(row, row.most());
      assertThat(getter.invoke(settings)).as(getter.getName()).isEqualTo(row.most());
      settings.set(row, row.standard());
    }
    List<Method> setters =
        Arrays.stream(LiveSettings.class.getMethods())
            .filter(method -> method.getName().startsWith("set"))
            .filter(method -> method.getParameterCount() == 1)
            .toList();
    for (Method setter : setters) {
      LiveSetting row = row(setter.getName().substring(3));
      setter.invoke(settings, row.most());
      assertThat(settings.get(row)).as(setter.getName()).isEqualTo(row.most());
      settings.set(row, row.standard());
    }
    assertThat(getters).hasSizeGreaterThanOrEqualTo(10);
    assertThat(setters).hasSizeGreaterThanOrEqualTo(10);
  }

  private static LiveSetting row(String name) {
    return Arrays.stream(LiveSetting.values())
        .filter(setting -> setting.settingName().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldTakeMinusZeroAsZero() {
    settings.setOverheadTarget(-0.0);
    assertThat(settings.overheadTarget()).isZero();
  }
}
