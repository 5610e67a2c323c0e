// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.testing.Race;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is called in whatever order, after each call: no more bytes of the medium than there
 * are, no more under pin than allowed, and no more DRAM than the sizes given account for.
 */
final class BudgetPropertyTest {
  private static final int STEPS = 20_000;
  private static final int MAX_LENGTH = 4096;
  private static final int MAX_FILES = 400;

  private static final int CONCURRENT_STEPS = 30_000;

  static LongStream concurrentSeeds() {
    return LongStream.range(0, 8);
  }

  static LongStream seeds() {
    return LongStream.range(0, 24);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldNeverExceedWhatWasConfigured(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long capacity = (256L << 10) + random.nextInt(1 << 20);
    long maxPinned = random.nextInt(64 << 10);
    int expected = 256 << random.nextInt(5);
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(capacity));
    medium.showAddresses = random.nextBoolean();
    PolicyPreset[] presets = PolicyPreset.values();
    BlockCacheBuilder builder =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(MAX_LENGTH)
            .expectedBlockBytes(expected)
            .maxPinnedBytes(maxPinned)
            .policies(presets[random.nextInt(presets.length)])
            .checksum(random.nextBoolean() ? Checksum.CRC32C : Checksum.NONE)
            .testing(TestHook.hashSeed(random.nextLong()))
            .maintainedByCaller();
    if (random.nextBoolean()) {
      builder.admission(AdmissionPresets.admitAll());
    }
    try (BlockCache cache = builder.build()) {
      long mostMetadata = mostMetadata(cache, capacity);
      List<PinnedBlock> pins = new ArrayList<>();
      for (int step = 0; step < STEPS; step++) {
        step(cache, random, pins);
        CacheStats stats = cache.stats();
        assertThat(stats.usedBytes())
            .as("used, step %d, seed %d", step, seed)
            .isBetween(0L, stats.capacityBytes());
        assertThat(stats.blockBytes()).isBetween(0L, stats.usedBytes());
        assertThat(stats.pinnedBytes())
            .as("pinned, step %d, seed %d", step, seed)
            .isBetween(0L, maxPinned);
        assertThat(stats.metadataBytes())
            .as("metadata, step %d, seed %d", step, seed)
            .isLessThanOrEqualTo(mostMetadata);
      }
      assertThat(cache.stats().offers(OfferResult.ADMITTED)).as("seed %d", seed).isPositive();
      pins.forEach(PinnedBlock::close);
      assertThat(cache.stats().pinnedBytes()).isZero();
    }
  }

  /**
   * The bound holds at any moment, whoever pins: what the threads know themselves to hold, which
   * each adds after it has got a pin and takes away before it ends one, never exceeds it.
   */
  @ParameterizedTest
  @MethodSource("concurrentSeeds")
  void shouldNeverPinMoreThanAllowedToManyThreads(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    int threads = 2 + random.nextInt(7);
    long maxPinned = random.nextInt(threads * 4 * MAX_LENGTH);
    AtomicLong held = new AtomicLong();
    AtomicLong most = new AtomicLong();
    AtomicReferenceArray<PinnedBlock> handedOn = new AtomicReferenceArray<>(threads);
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .maxBlockBytes(MAX_LENGTH)
            .expectedBlockBytes(1024)
            .maxPinnedBytes(maxPinned)
            .admission(AdmissionPresets.admitAll())
            .testing(TestHook.hashSeed(random.nextLong()))
            .build()) {
      Race.run(
          threads,
          thread -> {
            SplittableRandom own = new SplittableRandom(seed * 31 + thread);
            Deque<PinnedBlock> pins = new ArrayDeque<>();
            for (int step = 0; step < CONCURRENT_STEPS; step++) {
              long offset = (long) own.nextInt(300) * MAX_LENGTH;
              PinnedBlock pin = cache.pin(1, offset);
              if (pin == null) {
                int length = TestBlock.length(1, offset, 64, MAX_LENGTH);
                cache.offer(1, offset, TestBlock.of(1, offset, length), Source.READ);
              } else {
                long now = held.addAndGet(pin.length());
                most.accumulateAndGet(now, Math::max);
                assertThat(now).as("held, seed %d", seed).isLessThanOrEqualTo(maxPinned);
                pins.addLast(pin);
              }
              switch (own.nextInt(8)) {
                case 0 -> end(handedOn.getAndSet(own.nextInt(threads), pins.pollLast()), held);
                case 1 -> cache.invalidate(1, offset);
                default -> {
                  if (pins.size() > own.nextInt(6)) {
                    end(pins.pollFirst(), held);
                  }
                }
              }
            }
            pins.forEach(pin -> end(pin, held));
          });
      for (int i = 0; i < threads; i++) {
        end(handedOn.get(i), held);
      }
      assertThat(held.get()).isZero();
      assertThat(cache.stats().pinnedBytes()).as("seed %d", seed).isZero();
      assertThat(most.get()).as("seed %d", seed).isGreaterThanOrEqualTo(maxPinned / 4);
      cache.invalidateFile(1);
      cache.control().maintain();
      assertThat(cache.stats().usedBytes()).as("seed %d", seed).isZero();
    }
  }

  private static void end(@Nullable PinnedBlock pin, AtomicLong held) {
    if (pin != null) {
      held.addAndGet(-pin.length());
      pin.close();
    }
  }

  /** What an empty cache has, a byte and a bit for each granule, and what files may take. */
  private static long mostMetadata(BlockCache cache, long capacity) {
    long slots = capacity / 256 + 1;
    long files = MAX_FILES * 8L * 16 + (64 << 10);
    return cache.stats().metadataBytes() + slots + slots / 4 + files;
  }

  private static void step(BlockCache cache, SplittableRandom random, List<PinnedBlock> pins) {
    long fileId = random.nextInt(MAX_FILES);
    long offset = (long) random.nextInt(64) * MAX_LENGTH;
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3, 4, 5, 6 -> {
        int length = 1 + random.nextInt(random.nextInt(8) == 0 ? MAX_LENGTH * 2 : 1024);
        Source[] sources = Source.values();
        cache.offer(
            fileId, offset, ByteBuffer.allocate(length), sources[random.nextInt(sources.length)]);
      }
      case 7, 8, 9 -> cache.get(fileId, offset, ByteBuffer.allocate(2 * MAX_LENGTH));
      case 10, 11 -> {
        PinnedBlock pin = cache.pin(fileId, offset);
        if (pin != null) {
          pins.add(pin);
        }
      }
      case 12, 13 -> {
        if (!pins.isEmpty()) {
          pins.remove(random.nextInt(pins.size())).close();
        }
      }
      case 14 -> cache.invalidate(fileId, offset);
      default -> {
        switch (random.nextInt(12)) {
          case 0 -> cache.invalidateFile(fileId);
          case 1 -> cache.control().maintain();
          case 2 -> cache.control().settings().setOverheadTarget(random.nextDouble() * 10);
          case 3 -> cache.control().settings().setFullTarget(0.01 + random.nextDouble() * 0.99);
          case 4 ->
              cache
                  .control()
                  .settings()
                  .setEvictionWindow(Duration.ofSeconds(1 + random.nextInt(100)));
          default -> cache.getRange(fileId, offset, 0, ByteBuffer.allocate(16));
        }
      }
    }
  }
}
