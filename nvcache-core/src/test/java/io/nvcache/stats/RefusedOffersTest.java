// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.OfferResult;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RefusedOffersTest {
  @Test
  void shouldListWhatWasRefusedSinceTheLastSnapshotTheCommonestFirst() {
    RefusedOffers refused =
        RefusedOffers.between(
            Map.of(OfferResult.NOT_WORTH_IT, 5L, OfferResult.NO_SPACE, 9L),
            Map.of(
                OfferResult.ADMITTED, 1000L,
                OfferResult.ALREADY_CACHED, 1000L,
                OfferResult.CLOSED, 1000L,
                OfferResult.NOT_WORTH_IT, 8L,
                OfferResult.NO_SPACE, 9L,
                OfferResult.TOO_LARGE, 4L));
    assertThat(refused).hasToString("too_large 4, not_worth_it 3");
    assertThat(refused.commonest()).contains(OfferResult.TOO_LARGE);
    assertThat(refused.of(OfferResult.NOT_WORTH_IT)).isEqualTo(3);
    assertThat(refused.sum()).isEqualTo(7);
    assertThat(refused.and(RefusedOffers.NONE)).hasToString(refused.toString());
    RefusedOffers more = RefusedOffers.between(Map.of(), Map.of(OfferResult.NOT_WORTH_IT, 2L));
    assertThat(refused.and(more)).hasToString("not_worth_it 5, too_large 4");
  }

  @Test
  void shouldHaveNoReasonWhenNothingWasRefused() {
    RefusedOffers none = RefusedOffers.between(Map.of(), Map.of(OfferResult.ADMITTED, 7L));
    assertThat(none.commonest()).isEmpty();
    assertThat(none.sum()).isZero();
    assertThat(none).hasToString("");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "158544691, 151.2 MiB",
    "25232932864, 23.5 GiB",
    "1099511627776, 1 TiB",
    "9223372036854775807, 8 EiB",
  })
  void shouldWriteBytesForPeople(long bytes, String words) {
    assertThat(BinaryUnits.of(bytes)).isEqualTo(words);
  }
}
