// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LruListTest {
  @Test
  void shouldKeepTheOrderOfALinkedSet() {
    long seed = 42;
    Random random = new Random(seed);
    LruList list = new LruList(50);
    LinkedHashSet<Integer> naive = new LinkedHashSet<>();
    for (int i = 0; i < 20_000; i++) {
      int id = random.nextInt(3_000);
      int slot = list.find(id);
      assertThat(slot != LruList.NONE)
          .as("seed %d, step %d", seed, i)
          .isEqualTo(naive.contains(id));
      if (random.nextInt(10) == 0) {
        list.remove(id);
        naive.remove(id);
      } else if (slot == LruList.NONE) {
        if (naive.size() == 50) {
          naive.remove(naive.iterator().next());
        }
        assertThat(list.add(id)).isBetween(0, 49);
        naive.add(id);
      } else {
        list.touch(slot);
        naive.remove(id);
        naive.add(id);
      }
      assertThat(list.size()).isEqualTo(naive.size());
    }
    Iterator<Integer> expected = naive.iterator();
    for (int id = list.oldest(); id != LruList.NONE; id = list.newerThan(id)) {
      assertThat(id).isEqualTo(expected.next());
    }
    assertThat(expected.hasNext()).isFalse();
  }
}
