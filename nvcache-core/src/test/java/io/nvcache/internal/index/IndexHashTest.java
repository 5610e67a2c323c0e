// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class IndexHashTest {
  private static final int TAGS = 256;

  private final SplittableRandom seeds = new SplittableRandom(System.nanoTime());

  @Test
  void shouldGiveKeysBack() {
    for (int round = 0; round < 1000; round++) {
      long seed = seeds.nextLong();
      IndexHash hash = new IndexHash(seed);
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < 100; i++) {
        long key = random.nextLong() >>> random.nextInt(Long.SIZE);
        assertThat(hash.keyOf(hash.of(key))).as("seed %d, key %d", seed, key).isEqualTo(key);
      }
    }
  }

  /** So that an empty slot of a bucket holds nothing that is the hash of a block. */
  @Test
  void shouldHaveNoHashOfZeroButThatOfNoKey() {
    IndexHash hash = new IndexHash(seeds.nextLong());
    assertThat(hash.of(BucketLayout.EMPTY_KEY)).isEqualTo(Bucket.EMPTY);
    assertThat(hash.keyOf(Bucket.EMPTY)).isEqualTo(BucketLayout.EMPTY_KEY);
  }

  /** First blocks of many files, and blocks of one file: a tag should rule out all but a few. */
  @Test
  void shouldSpreadTagsOfRegularKeys() {
    for (int round = 0; round < 100; round++) {
      long seed = seeds.nextLong();
      IndexHash hash = new IndexHash(seed);
      int[] ofFiles = new int[TAGS];
      int[] ofBlocks = new int[TAGS];
      for (int i = 1; i <= 64 * TAGS; i++) {
        ofFiles[tag(hash.of(BucketLayout.key(i, 0)))]++;
        ofBlocks[tag(hash.of(BucketLayout.key(1, (long) i << 16)))]++;
      }
      for (int tag = 0; tag < TAGS; tag++) {
        assertThat(ofFiles[tag]).as("seed %d, tag %d", seed, tag).isLessThan(3 * 64);
        assertThat(ofBlocks[tag]).as("seed %d, tag %d", seed, tag).isLessThan(3 * 64);
      }
    }
  }

  private static int tag(long hash) {
    return (int) (hash >>> Integer.SIZE) & (TAGS - 1);
  }
}
