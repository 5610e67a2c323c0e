// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class HottestBlocksTest {
  @Test
  void shouldKeepTheHottestInTheOrderOfTheirHeat() {
    Seeds.each(
        50,
        random -> {
          int most = 1 + random.nextInt(20);
          HottestBlocks blocks = new HottestBlocks(most);
          List<Double> all = new ArrayList<>();
          List<Double> dropped = new ArrayList<>();
          for (int i = random.nextInt(60); i > 0; i--) {
            double heat = 1 + random.nextInt(30);
            HotBlock coldest = blocks.add(new HotBlock(1, i, 1, heat));
            all.add(heat);
            if (coldest != null) {
              dropped.add(coldest.heat());
            }
          }
          all.sort(Comparator.reverseOrder());
          int kept = Math.min(most, all.size());

          assertThat(dropped).containsExactlyInAnyOrderElementsOf(all.subList(kept, all.size()));
          assertThat(blocks.takeHottestFirst())
              .extracting(HotBlock::heat)
              .isEqualTo(all.subList(0, kept));
          assertThat(blocks.takeHottestFirst()).isEmpty();
        });
  }
}
