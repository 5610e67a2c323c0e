// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Blocks that are read in parts, next to a hot set that is read whole. A block in parts is one
 * lookup to the default policy; otherwise a scan in parts would displace the hot set.
 */
class PartReadsTest {
  private static final int CAPACITY = 500;
  private static final int LENGTH = 1024;
  private static final long DISTANCE = 65_536;

  private final ByteBuffer block = ByteBuffer.allocate(LENGTH);
  private BlockCache cache;
  private long now;

  private void open() {
    cache =
        BlockCache.builder()
            .nativeMemory((long) CAPACITY * LENGTH)
            .expectedBlockBytes(LENGTH)
            .maxBlockBytes(4 * LENGTH)
            .testing(TestHook.hashSeed(7), TestHook.nanoTime(() -> now))
            .maintainedByCaller()
            .build();
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private boolean read(long file, long offset) {
    if (cache.get(file, offset, block.clear()) != BlockCache.MISS) {
      return true;
    }
    offer(file, offset);
    return false;
  }

  private void offer(long file, long offset) {
    cache.offer(file, offset, block.clear(), Source.READ);
  }

  private boolean readPart(long offset, int from, int bytes) {
    if (cache.getRange(2, offset, from, block.clear().limit(bytes)) != BlockCache.MISS) {
      return true;
    }
    offer(2, offset);
    return false;
  }

  /** Returns whether all parts were there. */
  private boolean readInParts(long[] offsets, int pieces, boolean backwards) {
    int bytes = LENGTH / pieces;
    boolean hit = true;
    for (int piece = 0; piece < pieces; piece++) {
      int from = (backwards ? pieces - 1 - piece : piece) * bytes;
      for (long offset : offsets) {
        hit &= readPart(offset, from, bytes);
      }
    }
    return hit;
  }

  /** Returns the hot set's hit ratio, and in {@code writes} what a block that was read wrote. */
  private double hotHits(int pieces, boolean backwards, int streams, double[] writes) {
    open();
    Random random = new Random(5);
    long steps = 60L * CAPACITY;
    long hits = 0;
    long scanned = 0;
    for (long i = 0; i < steps; i++) {
      now += 500_000;
      // A few are hotter than others, as with Zipf's law.
      double u = random.nextDouble();
      long hot = (long) (2 * CAPACITY * u * u * u);
      boolean hit = read(1, hot * DISTANCE);
      hits += hit && i >= steps / 2 ? 1 : 0;
      if (pieces > 0 && i % (4L * streams) == 0) {
        long[] offsets = new long[streams];
        for (int stream = 0; stream < streams; stream++) {
          offsets[stream] = scanned++ * DISTANCE;
        }
        readInParts(offsets, pieces, backwards);
      }
      if (i % 500 == 0) {
        cache.control().maintain();
      }
    }
    writes[0] = (double) cache.stats().offers(OfferResult.ADMITTED) / (steps + scanned);
    cache.close();
    return (double) hits / (steps - steps / 2);
  }

  @ParameterizedTest
  @CsvSource({"4, false, 1", "16, false, 1", "64, true, 1", "16, true, 5", "16, false, 12"})
  void shouldTakeAScanInPartsForAScan(int pieces, boolean backwards, int streams) {
    double[] writesWhole = new double[1];
    double[] writes = new double[1];
    double whole = hotHits(1, false, 1, writesWhole);
    double inParts = hotHits(pieces, backwards, streams, writes);
    assertThat(inParts).isCloseTo(whole, within(0.015));
    assertThat(writes[0]).isCloseTo(writesWhole[0], within(0.005));
  }

  /** A loop over more blocks than fit: as many hits, read whole or in parts. */
  @Test
  void shouldCacheBlocksThatAreReadInPartsLikeOthers() {
    long[] hits = new long[2];
    for (int way = 0; way < 2; way++) {
      open();
      Random random = new Random(9);
      for (int i = 0; i < 30 * CAPACITY; i++) {
        now += 500_000;
        double u = random.nextDouble();
        long offset = (long) (3 * CAPACITY * u * u) * DISTANCE;
        if (way == 0) {
          hits[0] += read(2, offset) ? 1 : 0;
        } else {
          hits[1] += readInParts(new long[] {offset}, 8, false) ? 1 : 0;
        }
        if (i % 500 == 0) {
          cache.control().maintain();
        }
      }
      cache.close();
    }
    assertThat((double) hits[1] / hits[0]).isBetween(0.95, 1.05);
  }

  /** Of long blocks that are read in small parts here and there, each is wanted more than once. */
  @Test
  void shouldCacheLongBlocksOfWhichSmallPartsAreRead() {
    int length = 1 << 20;
    cache =
        BlockCache.builder()
            .nativeMemory(64L << 20)
            .maxBlockBytes(length)
            .testing(TestHook.hashSeed(7), TestHook.nanoTime(() -> now))
            .maintainedByCaller()
            .build();
    ByteBuffer whole = ByteBuffer.allocate(length);
    Random random = new Random(1);
    long misses = 0;
    for (int i = 0; i < 60_000; i++) {
      now += 500_000;
      long offset = (long) random.nextInt(5) * length;
      int from = random.nextInt(length / 128) * 128;
      if (cache.getRange(2, offset, from, block.clear().limit(128)) == BlockCache.MISS) {
        misses += i < 50_000 ? 0 : 1;
        cache.offer(2, offset, whole.clear(), Source.READ);
      }
      if (i % 500 == 0) {
        cache.control().maintain();
      }
    }
    assertThat(misses).isZero();
  }

  /** Statistics count calls, and a policy without its own counts sees each offer. */
  @Test
  void shouldCountEachCallAndAskForEachOffer() {
    cache =
        BlockCache.builder()
            .nativeMemory((long) CAPACITY * LENGTH)
            .admission(AdmissionPresets.admitAll())
            .eviction(ClockEviction::new)
            .build();
    readInParts(new long[] {0}, 4, false);
    assertThat(cache.stats().misses()).isEqualTo(1);
    assertThat(cache.stats().hits()).isEqualTo(3);
    cache.invalidate(2, 0);
    assertThat(cache.getRange(2, 0, 0, block.clear().limit(10))).isEqualTo(BlockCache.MISS);
    assertThat(cache.offer(2, 0, block.clear(), Source.READ)).isEqualTo(OfferResult.ADMITTED);
    cache.invalidate(2, 0);
    assertThat(cache.getRange(2, 0, 10, block.clear().limit(10))).isEqualTo(BlockCache.MISS);
    assertThat(cache.offer(2, 0, block.clear(), Source.READ)).isEqualTo(OfferResult.ADMITTED);
    assertThat(cache.stats().lookups()).isEqualTo(6);
  }
}
