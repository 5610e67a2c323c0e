// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WriteReturnTest {
  private static final int CAPACITY = 1_000;

  /** A cache whose lookups all hit is not asked to admit anything for a long time. */
  @Test
  void shouldRememberTheHitsOfALongTimeWithoutWrites() {
    WriteReturn hitsAlone = new WriteReturn(CAPACITY);
    hitsAlone.written(CAPACITY);
    hitsAlone.observe(100L * CAPACITY);
    hitsAlone.advance(100L * CAPACITY);
    hitsAlone.written(CAPACITY);

    assertThat(hitsAlone.trust()).isEqualTo(1);
    assertThat(hitsAlone.worthwhile()).isEqualTo(1);
  }

  @Test
  void shouldForgetAlikeInOneStepAndInMany() {
    WriteReturn many = new WriteReturn(CAPACITY);
    WriteReturn one = new WriteReturn(CAPACITY);
    int lookups = 3 * CAPACITY;
    for (int now = 1; now <= lookups; now++) {
      many.observe(now / 2);
      many.advance(1);
    }
    one.observe(lookups / 2);
    one.advance(lookups);
    many.written(1.5 * CAPACITY);
    one.written(1.5 * CAPACITY);

    assertThat(one.trust()).isCloseTo(many.trust(), within(0.01)).isBetween(0.1, 0.9);
    assertThat(one.writesPerLookup(0)).isCloseTo(many.writesPerLookup(0), within(0.01));
  }
}
