// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.VictimPricing;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class RegionPricingTest {
  private static final int CAPACITY = 1_000;

  private final AtomicBoolean roomToSpare = new AtomicBoolean();
  private final RegionPricing pricing = new RegionPricing(() -> 0, roomToSpare::get, CAPACITY);

  @Test
  void shouldPriceRoomByWhatWasDroppedForIt() {
    assertThat(pricing.priceNextVictim()).isEqualTo(VictimPricing.NO_PRICE);
    pricing.reclaimed(40, 4);
    assertThat(pricing.priceNextVictim()).isEqualTo(10);
    pricing.reclaimed(0, 0);
    assertThat(pricing.priceNextVictim()).as("no block, no news").isEqualTo(10);
    pricing.reclaimed(18, 1);
    assertThat(pricing.priceNextVictim()).as("an eighth of the way").isEqualTo(11);
  }

  @Test
  void shouldPriceNoRoomThatIsToSpare() {
    pricing.reclaimed(40, 4);
    roomToSpare.set(true);
    assertThat(pricing.priceNextVictim()).isEqualTo(VictimPricing.NO_PRICE);
    assertThat(pricing.droppedWorth()).isEqualTo(10);
    roomToSpare.set(false);
    assertThat(pricing.priceNextVictim()).isEqualTo(10);
  }

  @Test
  void shouldSetNoPriceWhereBlocksHaveNone() {
    RegionPricing unpriced = new RegionPricing(VictimPricing.UNPRICED, () -> false, CAPACITY);
    unpriced.reclaimed(40, 4);
    assertThat(unpriced.isPriced()).isFalse();
    assertThat(unpriced.priceNextVictim()).isEqualTo(VictimPricing.NO_PRICE);
  }

  /** Or it would stand for good where nothing that comes is worth as much. */
  @Test
  void shouldLetThePriceFadeWhileNothingIsReclaimed() {
    pricing.advance(7);
    pricing.reclaimed(8_000, 50);
    pricing.advance(7 + CAPACITY);
    assertThat(pricing.priceNextVictim()).isEqualTo(120);
    pricing.advance(7 + 2 * CAPACITY);
    assertThat(pricing.priceNextVictim()).isEqualTo(80);
    pricing.advance(7 + 3 * CAPACITY);
    assertThat(pricing.priceNextVictim()).isEqualTo(60);
    pricing.reclaimed(50 * 60, 50);
    assertThat(pricing.priceNextVictim()).as("the mean faded as well").isEqualTo(60);
    pricing.advance(7 + 1_000 * CAPACITY);
    assertThat(pricing.priceNextVictim()).isZero();
    pricing.advance(Long.MAX_VALUE);
    assertThat(pricing.priceNextVictim()).isZero();
  }

  @Test
  void shouldSayWhatTheLeastOfAFewBlocksIsWorth() {
    VictimPricing blocks =
        new VictimPricing() {
          @Override
          public int priceNextVictim() {
            return NO_PRICE;
          }

          @Override
          public int leastWorth() {
            return 17;
          }
        };
    assertThat(new RegionPricing(blocks, () -> false, CAPACITY).leastWorth()).isEqualTo(17);
    assertThat(pricing.leastWorth()).isEqualTo(VictimPricing.NO_PRICE);
  }
}
