// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KnownKeysTest {
  private final KnownKeys keys =
      new KnownKeys(
          List.of(
              "nvcache.path",
              "nvcache.capacity.bytes",
              "nvcache.overhead.target",
              "nvcache.smallbypass.dram.bytes",
              "nvcache.smallbypass.fraction"));

  @Test
  void shouldTakeKnownKeys() {
    assertThatCode(() -> keys.check(List.of("nvcache.path", "nvcache.capacity.bytes")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "nvcache.smallbypass.dram.byte, nvcache.smallbypass.dram.bytes",
    "nvcache.smallbypas.dram.bytes, nvcache.smallbypass.dram.bytes",
    "nvcache.overheadtarget, nvcache.overhead.target",
    "nvcache.capacty, nvcache.capacity.bytes",
    "nvcache.capcity.bytes, nvcache.capacity.bytes",
    "nvcache.Path, nvcache.path",
    "nvcache.path.file, nvcache.path",
  })
  void shouldNameTheNearestAndAllKeys(String mistyped, String nearest) {
    assertThatThrownBy(() -> keys.check(List.of("nvcache.path", mistyped)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown setting "
                + mistyped
                + "; the nearest is "
                + nearest
                + "; there are nvcache.capacity.bytes, nvcache.overhead.target, nvcache.path,"
                + " nvcache.smallbypass.dram.bytes, nvcache.smallbypass.fraction");
  }

  @Test
  void shouldWantKeys() {
    assertThatThrownBy(() -> new KnownKeys(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give at least one");
  }
}
