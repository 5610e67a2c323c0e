// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.examples.SmallStore.Carried;
import org.junit.jupiter.api.Test;

final class SmallStoreTest {
  private static final int KEYS = 100_000;

  /** Half of a capacity of lookups. */
  private static final int FIRST_READS = 300;

  /** What a compaction of half of the store costs the first reads after it, in parts of them. */
  private static double lostHits(Carried carried) throws Exception {
    double lost = 0;
    for (int seed = 1; seed <= 4; seed++) {
      try (SmallStore store = new SmallStore(KEYS, seed)) {
        store.hitsOf(KEYS / 2);
        double before = store.hitsOf(10 * FIRST_READS);
        store.compact(4, carried);
        lost += before - store.hitsOf(FIRST_READS);
      }
    }
    return lost / 4;
  }

  @Test
  void shouldLoseFewHitsWhereLookupsOfKeysAreCarried() throws Exception {
    double withoutHeat = lostHits(Carried.NOTHING);
    double withKeys = lostHits(Carried.LOOKUPS_OF_KEYS);

    System.out.println("lost: " + withoutHeat + ", with keys " + withKeys);
    assertThat(withKeys).isLessThan(withoutHeat / 2);
  }

  @Test
  void shouldReadTheRightBlocksAfterCompactions() throws Exception {
    try (SmallStore store = new SmallStore(5000, 1)) {
      store.hitsOf(20_000);
      for (Carried carried : Carried.values()) {
        store.compact(2, carried);
        long lastTable = 0;
        for (int key = 0; key < 5000; key++) {
          var block = store.get(key);
          assertThat(block.getInt(8)).isLessThanOrEqualTo(key).isGreaterThan(key - 1000);
          lastTable = Math.max(lastTable, block.getLong(0));
        }
        assertThat(lastTable).isEqualTo(9 + carried.ordinal());
      }
    }
  }
}
