// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Race;
import io.nvcache.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FifoEvictionTest extends EvictionContract {
  @Override
  protected EvictionFactory factory() {
    return FifoEviction::new;
  }

  @Override
  protected long metadataBytes(int slots) {
    return 8L * (slots + 1);
  }

  @Test
  void shouldGiveTheOldestWhateverWasHit() {
    try (FakeIndex index = new FakeIndex(10, factory())) {
      for (int slot : new int[] {3, 1, 4, 9, 5}) {
        index.admit(slot);
      }
      index.policy.onHit(3);
      index.remove(4);
      index.admit(0);
      index.admit(4);
      for (int slot : new int[] {3, 1, 9, 5, 0, 4}) {
        assertThat(evictOne(index)).isEqualTo(slot);
      }
    }
  }

  @Test
  void shouldGiveABlockThatCouldNotGoOnlyAfterAllOthers() {
    try (FakeIndex index = new FakeIndex(10, factory())) {
      index.admit(7);
      index.admit(2);
      index.admit(8);
      assertThat(index.policy.victim()).isEqualTo(7);
      assertThat(index.policy.victim()).isEqualTo(2);
      assertThat(index.policy.victim()).isEqualTo(8);
      assertThat(index.policy.victim()).isEqualTo(7);
    }
  }

  @Test
  void shouldKeepTheListWholeWhenThreadsChangeItAtOnce() throws Exception {
    int threads = 4;
    int slotsEach = 50_000;
    try (FakeIndex index = new FakeIndex(threads * slotsEach, factory())) {
      Race.run(
          threads,
          thread -> {
            for (int i = 0; i < slotsEach; i++) {
              index.admit(thread + i * threads);
              if (i % 2 == 1) {
                index.remove(thread + (i - 1) * threads);
              }
            }
          });
      int given = 0;
      while (evictOne(index) != EvictionPolicy.NO_VICTIM) {
        given++;
      }
      assertThat(given).isEqualTo(threads * slotsEach / 2);
      assertThat(index.refusedEvictions).hasValue(0);
    }
  }

  @Test
  void shouldMakeTheDecisionsOfANaiveModel() {
    Seeds.each(
        50,
        random -> {
          int slots = 1 + random.nextInt(40);
          List<Integer> model = new ArrayList<>();
          try (FakeIndex index = new FakeIndex(slots, factory())) {
            for (int step = 0; step < 2_000; step++) {
              Integer slot = random.nextInt(slots);
              switch (random.nextInt(4)) {
                case 0 -> {
                  if (index.remove(slot)) {
                    model.remove(slot);
                  }
                }
                case 1 -> {
                  int victim = index.policy.victim();
                  if (model.isEmpty()) {
                    assertThat(victim).isEqualTo(EvictionPolicy.NO_VICTIM);
                  } else {
                    assertThat(victim).isEqualTo(model.get(0));
                    model.add(model.remove(0));
                  }
                }
                default -> {
                  if (index.admit(slot)) {
                    model.add(slot);
                  }
                }
              }
            }
          }
        });
  }
}
