// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NativeMediumTest extends MediumContract {
  @Override
  protected Medium open(long capacityBytes) {
    return NativeMedium.allocate(capacityBytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void shouldRefuseACapacityThatIsNone(long capacity) {
    assertThatThrownBy(() -> NativeMedium.allocate(capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes is " + capacity);
  }

  @Test
  void shouldTakeMemoryOnlyAsItIsWritten() {
    // More than the test may use: reserving must not touch it.
    try (Medium medium = NativeMedium.allocate(6L << 30)) {
      assertThat(medium.capacityBytes()).isEqualTo(6L << 30);
      assertThat(medium.durability()).isEqualTo(Durability.NONE);
    }
  }
}
