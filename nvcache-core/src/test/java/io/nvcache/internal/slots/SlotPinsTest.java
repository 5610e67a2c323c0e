// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class SlotPinsTest {
  private static final long SLOT = 5;

  private final SlotPins pins = new SlotPins(64);

  /** Another slot whose pins are counted with those of {@link #SLOT}. */
  private long slotThatSharesTheCount() {
    pins.begin(SLOT);
    long other = SLOT + 1;
    while (pins.isNone(other)) {
      other++;
    }
    pins.end(SLOT);
    return other;
  }

  @Test
  void shouldTakeNoMemoryBeforeTheFirstPin() {
    assertThat(pins.metadataBytes()).isZero();
    assertThat(pins.isNone(SLOT)).isTrue();
    assertThatThrownBy(() -> pins.end(SLOT)).isInstanceOf(IllegalStateException.class);
    pins.begin(SLOT);
    assertThat(pins.metadataBytes()).isEqualTo(1024);
  }

  @Test
  void shouldCountPinsOfSlotsThatShareACountUpToTheMost() {
    long other = slotThatSharesTheCount();
    for (int i = 0; i < Allocator.MAX_PINS; i++) {
      assertThat(pins.begin(i % 2 == 0 ? SLOT : other)).isTrue();
    }
    assertThat(pins.begin(SLOT)).isFalse();
    assertThat(pins.begin(other)).isFalse();
    pins.end(other);
    assertThat(pins.begin(SLOT)).isTrue();
  }

  @Test
  void shouldKeepASlotUntilNoSlotThatSharesTheCountIsPinned() {
    long other = slotThatSharesTheCount();
    pins.begin(SLOT);
    pins.begin(other);
    assertThat(pins.keep(SLOT, 17)).isTrue();
    assertThat(pins.keep(other, 18)).isTrue();
    assertThat(pins.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);
    assertThat(pins.end(other)).isFalse();
    assertThat(pins.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);

    assertThat(pins.end(SLOT)).isTrue();

    assertThat(pins.takeKept(SLOT)).isEqualTo(17);
    assertThat(pins.takeKept(other)).isEqualTo(18);
    assertThat(pins.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);
  }

  @Test
  void shouldNotKeepASlotWhoseLastPinHasEnded() {
    pins.begin(SLOT);
    pins.end(SLOT);
    assertThat(pins.keep(SLOT, 17)).isFalse();
    assertThat(pins.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);
  }

  @Test
  void shouldNotGiveAKeptSlotWhileItIsPinnedAgain() {
    pins.begin(SLOT);
    pins.keep(SLOT, 17);
    assertThat(pins.end(SLOT)).isTrue();
    pins.begin(SLOT);
    assertThat(pins.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);
    assertThat(pins.end(SLOT)).as("looks again").isTrue();
    assertThat(pins.takeKept(SLOT)).isEqualTo(17);
  }
}
