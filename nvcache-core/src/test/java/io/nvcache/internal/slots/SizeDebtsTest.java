// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SizeDebtsTest {
  private static final int LIMIT = 100;

  private final SizeDebts debts = new SizeDebts(LIMIT);

  @Test
  void shouldBeDueOnceVictimsOfADoublingWereSparedForTheLimit() {
    for (int granules = 8; granules < 16; granules++) { // 92 in all.
      assertThat(debts.spare(granules)).as("%d granules", granules).isFalse();
    }
    assertThat(debts.isDue()).isFalse();
    assertThat(debts.spare(16)).as("of another doubling").isFalse();
    assertThat(debts.spare(15)).isTrue();
    assertThat(debts.isDue()).isTrue();
    assertThat(debts.isInDebt(8)).isTrue();
    assertThat(debts.isInDebt(7)).isFalse();
  }

  @Test
  void shouldTakeABlockThatComesForEightThatAreSpared() {
    for (int i = 0; i < 1000; i++) {
      assertThat(debts.spare(10)).isFalse();
      if (i % 8 == 7) {
        debts.come(10);
        assertThat(debts.isInDebt(10)).isFalse();
      }
    }
  }

  @Test
  void shouldRememberBlocksThatCameForNoMoreThanTheLimit() {
    for (int i = 0; i < 1000; i++) {
      debts.come(10);
    }
    for (int i = 0; i < 10; i++) {
      debts.spare(10);
    }
    assertThat(debts.isInDebt(10)).isFalse();
    debts.spare(10);
    assertThat(debts.isInDebt(10)).isTrue();
  }

  @Test
  void shouldCollectFromSizesThatAreDueAndNoMoreThanAsked() {
    for (int i = 0; i < 15; i++) {
      debts.spare(10);
      debts.spare(40);
    }
    debts.spare(1);
    assertThat(debts.collect(200)).isEqualTo(200);
    assertThat(debts.collect(1000)).as("150 + 600 + nothing of the 1").isEqualTo(550);
    assertThat(debts.isDue()).isFalse();
    assertThat(debts.isInDebt(1)).isTrue();
    assertThat(debts.collect(1000)).isZero();
  }
}
