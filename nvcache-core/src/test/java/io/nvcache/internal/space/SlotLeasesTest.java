// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class SlotLeasesTest {
  private static final long SLOT = 5;

  private final SlotLeases leases = new SlotLeases(64);

  /** Another slot whose leases are counted with those of {@link #SLOT}. */
  private long slotThatSharesTheCount() {
    leases.begin(SLOT);
    long other = SLOT + 1;
    while (leases.isNone(other)) {
      other++;
    }
    leases.end(SLOT);
    return other;
  }

  @Test
  void shouldTakeNoMemoryBeforeTheFirstLease() {
    assertThat(leases.metadataBytes()).isZero();
    assertThat(leases.isNone(SLOT)).isTrue();
    assertThatThrownBy(() -> leases.end(SLOT)).isInstanceOf(IllegalStateException.class);
    leases.begin(SLOT);
    assertThat(leases.metadataBytes()).isEqualTo(1024);
  }

  @Test
  void shouldCountLeasesOfSlotsThatShareACountUpToTheMost() {
    long other = slotThatSharesTheCount();
    for (int i = 0; i < Allocator.MAX_LEASES; i++) {
      assertThat(leases.begin(i % 2 == 0 ? SLOT : other)).isTrue();
    }
    assertThat(leases.begin(SLOT)).isFalse();
    assertThat(leases.begin(other)).isFalse();
    leases.end(other);
    assertThat(leases.begin(SLOT)).isTrue();
  }

  @Test
  void shouldKeepASlotUntilNoSlotThatSharesTheCountIsLeased() {
    long other = slotThatSharesTheCount();
    leases.begin(SLOT);
    leases.begin(other);
    assertThat(leases.keep(SLOT, 17)).isTrue();
    assertThat(leases.keep(other, 18)).isTrue();
    assertThat(leases.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);
    assertThat(leases.end(other)).isFalse();
    assertThat(leases.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);

    assertThat(leases.end(SLOT)).isTrue();

    assertThat(leases.takeKept(SLOT)).isEqualTo(17);
    assertThat(leases.takeKept(other)).isEqualTo(18);
    assertThat(leases.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);
  }

  @Test
  void shouldNotKeepASlotWhoseLastLeaseHasEnded() {
    leases.begin(SLOT);
    leases.end(SLOT);
    assertThat(leases.keep(SLOT, 17)).isFalse();
    assertThat(leases.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);
  }

  @Test
  void shouldNotGiveAKeptSlotWhileItIsLeasedAgain() {
    leases.begin(SLOT);
    leases.keep(SLOT, 17);
    assertThat(leases.end(SLOT)).isTrue();
    leases.begin(SLOT);
    assertThat(leases.takeKept(SLOT)).isEqualTo(Allocator.NO_SPACE);
    assertThat(leases.end(SLOT)).as("looks again").isTrue();
    assertThat(leases.takeKept(SLOT)).isEqualTo(17);
  }
}
