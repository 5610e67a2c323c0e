// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class PolicyPresetTest {
  private static BlockCacheBuilder builder() {
    return BlockCache.builder().nativeMemory(1 << 20).maxBlockBytes(4096).maintainedByCaller();
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeFoundByItsName(PolicyPreset preset) {
    assertThat(PolicyPreset.named(preset.label())).isSameAs(preset);
  }

  @Test
  void shouldListTheNamesWhenOneIsUnknown() {
    assertThatThrownBy(() -> PolicyPreset.named("lru"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'lru'")
        .hasMessageContaining("default, paper, paper-20, paper-4");
  }

  @ParameterizedTest
  @CsvSource({"default, 1800", "paper, 1800", "paper-20, 20", "paper-4, 4", "admit-all, 1800"})
  void shouldSetTheEvictionWindow(String name, long seconds) {
    try (BlockCache cache = builder().policies(PolicyPreset.named(name)).build()) {
      assertThat(cache.control().settings().evictionWindow())
          .isEqualTo(Duration.ofSeconds(seconds));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveWayToLaterCalls(PolicyPreset preset) {
    Duration window = Duration.ofSeconds(99);
    try (BlockCache cache = builder().policies(preset).evictionWindow(window).build()) {
      assertThat(cache.control().settings().evictionWindow()).isEqualTo(window);
    }
  }
}
