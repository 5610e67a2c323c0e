// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Caches of a few mebibytes with blocks of mixed sizes, no option set but the capacity and the mean
 * size: each next to a twin whose blocks all have the mean size. A block's size has nothing to do
 * with how often it is asked for, so a cache that is full of live bytes has the hits of its twin.
 */
final class SmallMediaTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final double ZIPF = 0.99;

  /** So many times what fits is asked for. */
  private static final double KEYS_PER_BLOCK = 2.5;

  private static final double MOST_POINTS_LOST = 3;
  private static final double LEAST_LIVE = 0.85;

  private static final int LOOKUPS_PER_KEY = 6;
  private static final int LEAST_LOOKUPS = 30_000;
  private static final int LOOKUPS_PER_MAINTENANCE = 1000;
  private static final int SAMPLES = 20;

  /** Sizes of blocks, by a number between 0 and 1 that is drawn for the block. */
  private enum Mix {
    FROM_8_TO_24_KIB {
      @Override
      double bytes(double drawn, int largest) {
        return 8 * KIB + drawn * 16 * KIB;
      }
    },
    FROM_4_TO_64_KIB {
      @Override
      double bytes(double drawn, int largest) {
        return 4 * KIB + drawn * 60 * KIB;
      }
    },
    FROM_512_TO_THE_LARGEST {
      @Override
      double bytes(double drawn, int largest) {
        return 512 + drawn * (largest - 512);
      }
    },
    ONE_IN_FIVE_IS_THE_LARGEST {
      @Override
      double bytes(double drawn, int largest) {
        return drawn < 0.8 ? 4 * KIB : largest;
      }
    },
    OF_3000_OR_40000 {
      @Override
      double bytes(double drawn, int largest) {
        return drawn < 0.5 ? 3000 : 40_000;
      }
    };

    abstract double bytes(double drawn, int largest);

    int mean(int largest) {
      int steps = 1000;
      double sum = 0;
      for (int i = 0; i < steps; i++) {
        sum += bytes((i + 0.5) / steps, largest);
      }
      return (int) Math.round(sum / steps);
    }
  }

  /** What a run has shown. */
  private record Run(double hitPercent, double meanLiveShare) {}

  private static int largest(int capacityBytes) {
    return Math.min(MIB, capacityBytes / 64);
  }

  static Stream<Arguments> cells() {
    return Stream.of(4, 16, 32, 64)
        .flatMap(
            mebibytes ->
                Arrays.stream(Mix.values())
                    .flatMap(
                        mix ->
                            // The fewer blocks there are, the more their luck counts.
                            Stream.iterate(1L, seed -> seed <= (mebibytes == 4 ? 3 : 1), s -> s + 1)
                                .map(seed -> Arguments.of(mebibytes, mix, seed))));
  }

  @ParameterizedTest(name = "{0} MiB, {1}, seed {2}")
  @MethodSource("cells")
  void shouldServeMixedSizesAsBlocksOfTheirMean(int mebibytes, Mix mix, long seed) {
    int capacity = mebibytes * MIB;
    int mean = mix.mean(largest(capacity));
    int[] mixed = new int[(int) (KEYS_PER_BLOCK * capacity / mean)];
    SplittableRandom random = new SplittableRandom(seed);
    Arrays.setAll(mixed, key -> (int) mix.bytes(random.nextDouble(), largest(capacity)));
    int[] equal = new int[mixed.length];
    Arrays.fill(equal, mean);

    Run run = run(capacity, mixed, mean, seed);
    Run twin = run(capacity, equal, mean, seed);

    System.out.printf(
        Locale.ROOT,
        "%d MiB, %s, seed %d: %.1f %% hits, twin %.1f %%, live %.1f %%%n",
        mebibytes,
        mix,
        seed,
        run.hitPercent,
        twin.hitPercent,
        100 * run.meanLiveShare);
    assertThat(run.hitPercent).isGreaterThan(twin.hitPercent - MOST_POINTS_LOST);
    assertThat(run.meanLiveShare).isGreaterThanOrEqualTo(LEAST_LIVE);
  }

  /** Looks up and offers blocks of these lengths; the second half of the lookups counts. */
  private static Run run(int capacity, int[] lengths, int mean, long seed) {
    double[] popularity = popularity(lengths.length);
    SplittableRandom random = new SplittableRandom(~seed);
    ByteBuffer dst = ByteBuffer.allocateDirect(largest(capacity));
    int half = Math.max(LEAST_LOOKUPS, LOOKUPS_PER_KEY * lengths.length);
    int hits = 0;
    int samples = 0;
    double live = 0;
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(capacity)
            .expectedBlockBytes(mean)
            .maintainedByCaller()
            .testing(TestHook.hashSeed(seed))
            .build()) {
      for (int i = 0; i < 2 * half; i++) {
        int key = key(popularity, random);
        boolean hit = lookUp(cache, key, lengths[key], dst);
        hits += hit && i >= half ? 1 : 0;
        if (i % LOOKUPS_PER_MAINTENANCE == 0) {
          cache.control().maintain();
        }
        if (i >= half && (i - half) % (half / SAMPLES) == 0) {
          live += (double) cache.stats().blockBytes() / capacity;
          samples++;
        }
      }
    }
    return new Run(100.0 * hits / half, live / samples);
  }

  /** For each key the part of all lookups that ask for it or one before. */
  private static double[] popularity(int keys) {
    double[] sums = new double[keys];
    double sum = 0;
    for (int key = 0; key < keys; key++) {
      sum += Math.pow(key + 1, -ZIPF);
      sums[key] = sum;
    }
    double all = sum;
    return Arrays.stream(sums).map(part -> part / all).toArray();
  }

  private static int key(double[] popularity, SplittableRandom random) {
    int found = Arrays.binarySearch(popularity, random.nextDouble());
    return Math.min(found < 0 ? -found - 1 : found, popularity.length - 1);
  }

  private static boolean lookUp(BlockCache cache, int key, int length, ByteBuffer buffer) {
    long offset = (long) key * MIB;
    if (cache.get(1, offset, buffer.clear()) == BlockCache.MISS) {
      cache.offer(1, offset, buffer.clear().limit(length).putInt(0, key), Source.READ);
      return false;
    }
    assertThat(buffer.position()).isEqualTo(length);
    assertThat(buffer.getInt(0)).isEqualTo(key);
    return true;
  }

  @ParameterizedTest(name = "{0} MiB")
  @MethodSource("largestBlocks")
  void shouldTakeBlocksUpToA64thAndRefuseLongerOnesWithoutEviction(int mebibytes, int largest) {
    try (BlockCache cache =
        BlockCache.builder().nativeMemory(mebibytes * MIB).maintainedByCaller().build()) {
      for (int key = 0; key < 64; key++) {
        lookUp(cache, key, largest, ByteBuffer.allocate(largest));
      }
      CacheStats before = cache.stats();
      assertThat(before.offers(OfferResult.ADMITTED)).isPositive();
      ByteBuffer longer = ByteBuffer.allocate(largest + 1);

      for (int key = 64; key < 100; key++) {
        assertThat(cache.offer(1, (long) key * MIB, longer.clear(), Source.READ))
            .isEqualTo(OfferResult.TOO_LARGE);
      }

      CacheStats after = cache.stats();
      assertThat(after.offers(OfferResult.TOO_LARGE)).isEqualTo(36);
      assertThat(after.blocks()).isEqualTo(before.blocks());
      assertThat(after.evictions()).isEqualTo(before.evictions());
      assertThat(after.mediumWrittenBytes()).isEqualTo(before.mediumWrittenBytes());
    }
  }

  static Stream<Arguments> largestBlocks() {
    return Stream.of(
        Arguments.of(4, 64 * KIB),
        Arguments.of(16, 256 * KIB),
        Arguments.of(64, MIB),
        Arguments.of(100, MIB));
  }
}
