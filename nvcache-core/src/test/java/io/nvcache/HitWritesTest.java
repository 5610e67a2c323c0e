// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.testing.CacheMemory;
import io.nvcache.testing.Race;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A hit that copies must not write a cache line that other threads read: what one thread writes,
 * all others have to fetch again, and hits on a hot block would be no faster with more threads.
 * Checked by accounting: all memory that is reachable from a cache is compared byte by byte before
 * and after hits of several threads on one block, and with what it is while a medium that has no
 * addresses is being read for a hit, so that what is taken for the reading and given back is seen
 * there, too, such as a lock or a reference. (A copy of plain memory can't be stopped midway.) What
 * may change is each thread's own counters, and, until it is saturated, the block's eviction mark.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HitWritesTest {
  private static final int THREADS = 4;
  private static final int HITS = 2_000;
  private static final int CAPACITY_BYTES = 1 << 20;
  private static final int BLOCK_BYTES = 4096;
  private static final int FROM = 77;
  private static final long FILE = 1;

  /**
   * The counts, the blocks that parts were read of, and whose they are: a thread takes a stripe
   * with its first call.
   */
  private static final String COUNTERS = ".*([cC]ounters|visits)\\..*";

  /** The only thing that a hit counts in. */
  private static final String COUNTS = ".*[cC]ounters\\.cells";

  /** What a medium that is told to fail knows of that: not the bytes, which are inside of it. */
  private static final String OF_THE_FAULT = ".*\\.medium\\.(?!inner).*";

  private BlockCache cache;

  static Stream<EvictionFactory> policies() {
    return Stream.of(ClockEviction::new, FifoEviction::new);
  }

  @BeforeEach
  void build() {
    open(builder());
  }

  private static BlockCacheBuilder builder() {
    return builder(NativeMedium.allocate(CAPACITY_BYTES));
  }

  private static BlockCacheBuilder builder(Medium medium) {
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(BLOCK_BYTES)
        .expectedBlockBytes(BLOCK_BYTES)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller();
  }

  /** All blocks but the one to be hit are read, because what is found out once stays known. */
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
            assertThat(cache.getRange(FILE, BLOCK_BYTES, FROM, dst.clear()))
                .isEqualTo(BLOCK_BYTES - FROM);
          }
        });
    assertThat(cache.stats().hits() - before).as("hits").isEqualTo(2L * THREADS * times);
  }

  private Map<String, List<Integer>> changesBy(Work work) throws Exception {
    CacheMemory before = CacheMemory.of(cache);
    assertThat(before.places())
        .as("places compared: the medium alone has")
        .isGreaterThan(CAPACITY_BYTES);
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
    // Lookups, hits, those of parts, and bytes, of each thread; of this one, which reads the
    // statistics, calls that began and ended.
    assertThat(counts(changes)).hasSizeBetween(3, 5 * THREADS + 2);
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

  static Stream<Arguments> hits() {
    Hit whole = (cache, dst) -> cache.get(FILE, BLOCK_BYTES, dst);
    Hit range = (cache, dst) -> cache.getRange(FILE, BLOCK_BYTES, FROM, dst);
    return Stream.of(Arguments.of("get", whole), Arguments.of("getRange", range));
  }

  private interface Hit {
    int copy(BlockCache cache, ByteBuffer dst);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("hits")
  void shouldHoldNothingWhileTheBlockIsRead(String name, Hit hit) throws Exception {
    close();
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(CAPACITY_BYTES));
    open(builder(medium));
    hit(HITS);

    Set<String> changes = changesWhileReadIsStuck(medium, hit).keySet();

    assertThat(changes).anyMatch(path -> path.matches(OF_THE_FAULT));
    assertThat(changes).allMatch(path -> path.matches(COUNTERS) || path.matches(OF_THE_FAULT));
  }

  private Map<String, List<Integer>> changesWhileReadIsStuck(FaultyMedium medium, Hit hit)
      throws Exception {
    CacheMemory before = CacheMemory.of(cache);
    ByteBuffer dst = ByteBuffer.allocate(BLOCK_BYTES);
    FutureTask<Integer> reading = new FutureTask<>(() -> hit.copy(cache, dst));
    medium.inject(Fault.STUCK_READ);
    new Thread(reading).start();
    medium.awaitInjection();
    Map<String, List<Integer>> changes = before.changesUntil(CacheMemory.of(cache));
    assertThat(reading.isDone()).isFalse();
    medium.heal();
    assertThat(reading.get()).isEqualTo(dst.position()).isPositive();
    return changes;
  }

  /** With shadows on, only hits of sampled keys write more, and into their own thread's ring. */
  @Test
  void shouldWriteNothingButCountersOnAHotBlockThatShadowsDoNotSample() throws Exception {
    close();
    long sampled = 0;
    long unsampled = 0;
    open(builder());
    cache.control().shadows().setSampleRatio(0.2);
    for (long offset = 0; offset < 64L * BLOCK_BYTES; offset += BLOCK_BYTES) {
      long before = cache.control().shadows().report().sampledLookups();
      assertThat(cache.get(FILE, offset, ByteBuffer.allocate(BLOCK_BYTES))).isEqualTo(BLOCK_BYTES);
      if (cache.control().shadows().report().sampledLookups() > before) {
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
    // That there ever was one is remembered.
    Objects.requireNonNull(cache.pin(FILE, BLOCK_BYTES)).close();
    CacheMemory before = CacheMemory.of(cache);
    try (PinnedBlock pin = Objects.requireNonNull(cache.pin(FILE, BLOCK_BYTES))) {
      assertThat(pin.length()).isEqualTo(BLOCK_BYTES);
      assertThat(unlikeCounters(before.changesUntil(CacheMemory.of(cache))))
          .as("an open pin")
          .isNotEmpty();
    }
    assertThat(unlikeCounters(before.changesUntil(CacheMemory.of(cache))))
        .as("a pin that was given back")
        .isEmpty();
  }

  private static List<String> unlikeCounters(Map<String, List<Integer>> changes) {
    return changes.keySet().stream().filter(path -> !path.matches(COUNTERS)).toList();
  }
}
