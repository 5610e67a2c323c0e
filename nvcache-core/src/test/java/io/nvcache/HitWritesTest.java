// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.testing.CacheMemory;
import io.nvcache.testing.Race;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A hit that copies must not write a cache line that other threads read: what one thread writes,
 * all others have to fetch anew, and hits on a hot block would be no faster with more threads.
 * Checked by accounting: all memory that is reachable from a cache is compared byte by byte before
 * and after hits of several threads on one block. What may change is each thread's own counters,
 * and, until it is saturated, the block's eviction mark.
 */
class HitWritesTest {
  private static final int THREADS = 4;
  private static final int HITS = 2_000;
  private static final int BLOCK_BYTES = 4096;
  private static final long FILE = 1;

  /** The counts, and whose they are: a thread takes a stripe with its first call. */
  private static final String COUNTERS = ".*[cC]ounters\\..*";

  /** The only thing that a hit counts in. */
  private static final String COUNTS = ".*[cC]ounters\\.cells";

  private BlockCache cache;

  static Stream<EvictionFactory> policies() {
    return Stream.of(ClockEviction::new, FifoEviction::new);
  }

  @BeforeEach
  void build() {
    open(builder());
  }

  private static BlockCacheBuilder builder() {
    return BlockCache.builder()
        .nativeMemory(1 << 20)
        .maxBlockBytes(BLOCK_BYTES)
        .expectedBlockBytes(BLOCK_BYTES)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller();
  }

  /** All blocks but the one to be hit are read, for what is found out once stays known. */
  private void open(BlockCacheBuilder builder) {
    cache = builder.build();
    for (long offset = 0; offset < 64L * BLOCK_BYTES; offset += BLOCK_BYTES) {
      assertThat(offer(offset)).isEqualTo(OfferResult.ADMITTED);
      if (offset != BLOCK_BYTES) {
        assertThat(cache.get(FILE, offset, ByteBuffer.allocate(BLOCK_BYTES)))
            .isEqualTo(BLOCK_BYTES);
      }
    }
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private OfferResult offer(long offset) {
    return cache.offer(FILE, offset, ByteBuffer.allocate(BLOCK_BYTES), Source.READ);
  }

  private void hit(int times) throws Exception {
    long before = cache.stats().hits();
    Race.run(
        THREADS,
        thread -> {
          ByteBuffer dst =
              thread % 2 == 0
                  ? ByteBuffer.allocate(BLOCK_BYTES)
                  : ByteBuffer.allocateDirect(BLOCK_BYTES);
          for (int i = 0; i < times; i++) {
            assertThat(cache.get(FILE, BLOCK_BYTES, dst.clear())).isEqualTo(BLOCK_BYTES);
          }
        });
    assertThat(cache.stats().hits() - before).as("hits").isEqualTo((long) THREADS * times);
  }

  private Map<String, List<Integer>> changesBy(Work work) throws Exception {
    CacheMemory before = CacheMemory.of(cache);
    assertThat(before.places()).as("places compared: the medium alone has").isGreaterThan(1 << 20);
    work.run();
    return before.changesUntil(CacheMemory.of(cache));
  }

  private interface Work {
    void run() throws Exception;
  }

  @Test
  void shouldWriteNothingButCountersOnAHotBlockByDefault() throws Exception {
    hit(HITS); // Until the mark is saturated.

    Map<String, List<Integer>> changes = changesBy(() -> hit(HITS));

    assertThat(changes.keySet()).allMatch(path -> path.matches(COUNTERS));
    // Lookups, hits and bytes, of each thread.
    assertThat(counts(changes)).hasSizeBetween(3, 3 * THREADS);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void shouldWriteNothingButCountersOnAHotBlock(EvictionFactory policy) throws Exception {
    close();
    open(builder().eviction(policy));
    hit(HITS);

    assertThat(changesBy(() -> hit(HITS)).keySet())
        .isNotEmpty()
        .allMatch(path -> path.matches(COUNTERS));
  }

  /** With shadows on, only hits of sampled keys write more, and into their own thread's ring. */
  @Test
  void shouldWriteNothingButCountersOnAHotBlockThatShadowsDoNotSample() throws Exception {
    close();
    long sampled = 0;
    long unsampled = 0;
    open(builder());
    cache.shadows().sampleRatio(0.2);
    for (long offset = 0; offset < 64L * BLOCK_BYTES; offset += BLOCK_BYTES) {
      long before = cache.shadows().report().sampledLookups();
      assertThat(cache.get(FILE, offset, ByteBuffer.allocate(BLOCK_BYTES))).isEqualTo(BLOCK_BYTES);
      if (cache.shadows().report().sampledLookups() > before) {
        sampled = offset;
      } else {
        unsampled = offset;
      }
    }
    long hot = unsampled;
    long told = sampled;
    hitAt(hot);

    assertThat(changesBy(() -> hitAt(hot)).keySet()).allMatch(path -> path.matches(COUNTERS));
    assertThat(changesBy(() -> hitAt(told)).keySet()).anyMatch(path -> path.contains("rings"));
  }

  private void hitAt(long offset) throws Exception {
    Race.run(
        THREADS,
        thread -> {
          ByteBuffer dst = ByteBuffer.allocate(BLOCK_BYTES);
          for (int i = 0; i < 20; i++) {
            assertThat(cache.get(FILE, offset, dst.clear())).isEqualTo(BLOCK_BYTES);
          }
        });
  }

  @Test
  void shouldKeepTheCountersOfThreadsApart() throws Exception {
    hit(HITS);
    int lineCells = 64 / Long.BYTES;

    List<Integer> first = countedBy(1);
    List<Integer> both = countedBy(2);

    assertThat(first).hasSize(3);
    assertThat(both).hasSize(6);
    assertThat(both.get(3) - both.get(2))
        .as("cells between the counters of two threads")
        .isGreaterThan(lineCells);
  }

  private List<Integer> countedBy(int threads) throws Exception {
    return counts(
        changesBy(
            () ->
                Race.run(
                    threads,
                    thread -> {
                      ByteBuffer dst = ByteBuffer.allocate(BLOCK_BYTES);
                      assertThat(cache.get(FILE, BLOCK_BYTES, dst)).isEqualTo(BLOCK_BYTES);
                    })));
  }

  private static List<Integer> counts(Map<String, List<Integer>> changes) {
    return changes.entrySet().stream()
        .filter(change -> change.getKey().matches(COUNTS))
        .map(Map.Entry::getValue)
        .findAny()
        .orElseThrow();
  }

  @Test
  void shouldWriteNothingButCountersOnAMiss() throws Exception {
    Map<String, List<Integer>> changes =
        changesBy(
            () ->
                Race.run(
                    THREADS,
                    thread -> {
                      ByteBuffer dst = ByteBuffer.allocate(BLOCK_BYTES);
                      assertThat(cache.get(FILE, 1, dst)).isEqualTo(BlockCache.MISS);
                      assertThat(cache.get(FILE + 1, 0, dst)).isEqualTo(BlockCache.MISS);
                    }));

    assertThat(changes.keySet()).isNotEmpty().allMatch(path -> path.matches(COUNTERS));
  }

  @Test
  void shouldMarkABlockInOneLineAtMost() throws Exception {
    Map<String, List<Integer>> changes = changesBy(() -> hit(1));

    changes.keySet().removeIf(path -> path.matches(COUNTERS));
    assertThat(changes.values()).allSatisfy(changed -> assertThat(changed).hasSizeLessThan(8));
    assertThat(changes).hasSizeLessThanOrEqualTo(1);
  }

  /** The accounting would be worth nothing if it overlooked writes. */
  @Test
  void shouldSeeTheWritesOfOtherCalls() throws Exception {
    hit(HITS);

    assertThat(unlikeCounters(changesBy(() -> offer(100L * BLOCK_BYTES))))
        .as("an insert")
        .isNotEmpty();
    assertThat(unlikeCounters(changesBy(() -> cache.invalidate(FILE, 0))))
        .as("an invalidation")
        .isNotEmpty();
    Objects.requireNonNull(cache.pin(FILE, BLOCK_BYTES)).close(); // The first changes something.
    CacheMemory before = CacheMemory.of(cache);
    try (PinnedBlock lease = Objects.requireNonNull(cache.pin(FILE, BLOCK_BYTES))) {
      assertThat(lease.length()).isEqualTo(BLOCK_BYTES);
      assertThat(unlikeCounters(before.changesUntil(CacheMemory.of(cache))))
          .as("an open lease")
          .isNotEmpty();
    }
    assertThat(unlikeCounters(before.changesUntil(CacheMemory.of(cache))))
        .as("a lease that was given back")
        .isEmpty();
  }

  private static List<String> unlikeCounters(Map<String, List<Integer>> changes) {
    return changes.keySet().stream().filter(path -> !path.matches(COUNTERS)).toList();
  }
}
