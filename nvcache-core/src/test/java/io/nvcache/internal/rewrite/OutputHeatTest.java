// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class OutputHeatTest {
  private final OutputHeat outputs = new OutputHeat();

  @Test
  void shouldGoByTheInputsWhereNoKeyIsKnown() {
    assertThat(outputs.heat(3, 0)).isEqualTo(3);
    assertThat(outputs.heat(5, 0)).isEqualTo(5);
  }

  @Test
  void shouldGoByTheKeysWhereTheyAccountForAll() {
    assertThat(outputs.heat(2, 8)).isEqualTo(8);
    assertThat(outputs.heat(2, 0)).as("a neighbour of the hot key").isZero();
  }

  @Test
  void shouldSpreadWhatTheKeysDoNotAccountFor() {
    assertThat(outputs.heat(8, 2)).as("a quarter is known").isEqualTo(2 + 0.75 * 8 / 2);
    assertThat(outputs.heat(8, 0)).as("an eighth").isCloseTo(0.875 * 8 / 2, within(0.1));
  }

  @Test
  void shouldNotTakeTheHeatOfOnePartForThatOfAnother() {
    for (int i = 0; i < 100; i++) {
      outputs.heat(10, 1000); // Served by the DRAM tier, nearly all.
    }
    double last = 0;
    for (int i = 0; i < 10 * OutputHeat.AVERAGED; i++) {
      last = outputs.heat(4, 0);
    }
    assertThat(last).as("far from the hot keys").isCloseTo(2, within(0.1));
  }

  @Test
  void shouldLetAHotKeyAccountForItsNeighbours() {
    double neighbours = 0;
    for (int i = 0; i < 40; i++) {
      outputs.heat(5, 20);
      neighbours = outputs.heat(5, 0) + outputs.heat(5, 0) + outputs.heat(5, 0);
    }
    assertThat(neighbours / 3).isLessThan(0.5);
  }

  @Test
  void shouldFindNoHeatInNothing() {
    assertThat(outputs.heat(0, 0)).isZero();
  }
}
