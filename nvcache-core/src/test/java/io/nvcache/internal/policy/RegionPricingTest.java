// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.VictimPricing;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class RegionPricingTest {
  private final AtomicBoolean roomToSpare = new AtomicBoolean();
  private final RegionPricing pricing = new RegionPricing(() -> 0, roomToSpare::get);

  @Test
  void shouldPriceRoomByWhatWasDroppedForIt() {
    assertThat(pricing.victimWorth()).isEqualTo(VictimPricing.NO_PRICE);
    pricing.reclaimed(40, 4);
    assertThat(pricing.victimWorth()).isEqualTo(10);
    pricing.reclaimed(0, 0);
    assertThat(pricing.victimWorth()).as("no block, no news").isEqualTo(10);
    pricing.reclaimed(18, 1);
    assertThat(pricing.victimWorth()).as("an eighth of the way").isEqualTo(11);
  }

  @Test
  void shouldPriceNoRoomThatIsToSpare() {
    pricing.reclaimed(40, 4);
    roomToSpare.set(true);
    assertThat(pricing.victimWorth()).isEqualTo(VictimPricing.NO_PRICE);
    assertThat(pricing.droppedWorth()).isEqualTo(10);
    roomToSpare.set(false);
    assertThat(pricing.victimWorth()).isEqualTo(10);
  }

  @Test
  void shouldSetNoPriceWhereBlocksHaveNone() {
    RegionPricing unpriced = new RegionPricing(VictimPricing.UNPRICED, () -> false);
    unpriced.reclaimed(40, 4);
    assertThat(unpriced.isPriced()).isFalse();
    assertThat(unpriced.victimWorth()).isEqualTo(VictimPricing.NO_PRICE);
  }
}
