// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KnownKeysTest {
  private final KnownKeys keys = new KnownKeys();

  @Test
  void shouldGoByTheInputsWhereNoKeyIsKnown() {
    assertThat(keys.heat(3, 0)).isEqualTo(3);
    assertThat(keys.heat(5, 0)).isEqualTo(5);
  }

  @Test
  void shouldGoByTheKeysWhereTheyAccountForAll() {
    assertThat(keys.heat(2, 8)).isEqualTo(8);
    assertThat(keys.heat(2, 0)).as("a neighbour of the hot key").isZero();
  }

  @Test
  void shouldSpreadWhatTheKeysDoNotAccountFor() {
    assertThat(keys.heat(8, 2)).as("a quarter is known").isEqualTo(2 + 0.75 * 8);
    assertThat(keys.heat(8, 0)).as("an eighth").isEqualTo(0.875 * 8);
  }

  @Test
  void shouldFindNoHeatInNothing() {
    assertThat(keys.heat(0, 0)).isZero();
  }
}
