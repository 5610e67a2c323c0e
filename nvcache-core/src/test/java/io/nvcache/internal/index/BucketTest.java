// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.memory.OffHeapBytes;
import io.nvcache.memory.RawMemory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bucket compared with an array of hashes, with far more equal tags than chance would bring. */
final class BucketTest {
  private static final int ROUNDS = 300_000;

  private final OffHeapBytes memory =
      OffHeapBytes.zeroed(3 * BucketLayout.BUCKET_BYTES, BucketLayout.BUCKET_BYTES);

  /** The one in the middle; those next to it must stay as they are. */
  private final long bucket = memory.address() + BucketLayout.BUCKET_BYTES;

  private final long[] model = new long[BucketLayout.SLOTS];

  @AfterEach
  void free() {
    memory.close();
  }

  /** Hashes that differ in a bit or a byte or so, at each place, those of the tag among them. */
  private static long hash(SplittableRandom random) {
    long hash = random.nextInt(4) * 0x0101_0101_0101_0101L;
    return hash ^ (random.nextInt(3) == 0 ? 1L << random.nextInt(Long.SIZE) : 0);
  }

  private int find(long hash) {
    for (int i = 0; i < model.length; i++) {
      if (model[i] == hash) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void shouldFindWhatAnArrayOfHashesFinds() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < ROUNDS; round++) {
      int i = random.nextInt(BucketLayout.SLOTS);
      long hash = hash(random);
      if (random.nextInt(4) == 0) {
        Bucket.empty(bucket, i);
        model[i] = Bucket.EMPTY;
      } else if (find(hash) < 0) {
        Bucket.prepare(bucket, i, i, i);
        Bucket.publish(bucket, i, hash);
        model[i] = hash;
      }
      long wanted = hash(random);
      assertThat(Bucket.find(bucket, wanted)).as("seed %d", seed).isEqualTo(find(wanted));
      assertThat(Bucket.findEmpty(bucket)).as("seed %d", seed).isEqualTo(find(Bucket.EMPTY));
      assertThat(Bucket.hash(bucket, i)).as("seed %d", seed).isEqualTo(model[i]);
    }
    for (int i = 0; i < model.length; i++) {
      assertThat(Bucket.hash(bucket, i)).as("seed %d, slot %d", seed, i).isEqualTo(model[i]);
    }
    for (int at = 0; at < BucketLayout.BUCKET_BYTES; at += Long.BYTES) {
      assertThat(RawMemory.getLong(memory.address() + at)).isZero();
      assertThat(RawMemory.getLong(bucket + BucketLayout.BUCKET_BYTES + at)).isZero();
    }
  }

  @Test
  void shouldReadAllMarksAtOnce() {
    long expected = 0;
    for (int i = 0; i < BucketLayout.SLOTS; i++) {
      Bucket.mark(bucket, i, 0xF0 + i);
      expected |= (0xF0L + i) << (i * Byte.SIZE);
    }
    assertThat(Bucket.marks(bucket)).isEqualTo(expected);
  }
}
