// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.Fault;
import io.nvcache.medium.Fault.Kind;
import io.nvcache.medium.Fault.Operation;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each fault of each operation, in one and the same use of a cache: no exception, no wrong byte,
 * every fault accounted for, and all is well when it is over.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class FaultMatrixTest {
  private static final int LENGTH = 4096;
  private static final int CAPACITY = 1 << 20;
  private static final long ELSEWHERE = 50;
  private static final AtomicLong FILES = new AtomicLong(1_000_000);

  /** Another one in each test: memory may still hold the blocks of the test before. */
  private final long file = FILES.incrementAndGet();

  private final AtomicLong now = new AtomicLong();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  @TempDir Path directory;
  private FaultyMedium medium;

  /** What the faulty medium is over. */
  private enum Below {
    MEMORY,
    FLASH
  }

  private FaultyMedium over(Below below) throws IOException {
    return new FaultyMedium(
        below == Below.MEMORY
            ? NativeMedium.allocate(CAPACITY)
            : FlashMedium.create(directory.resolve("medium"), CAPACITY));
  }

  /** What the cache makes of it. */
  private enum Outcome {
    /** Nobody notices, or it only takes longer. */
    NOTHING,
    /** A read that is a miss, or a write that is a refusal, counted as the medium's failure. */
    FAILURE,
    /** A block that is not what was written: a miss, and the block is out. */
    CORRUPTION,
    /** The cache is out of service. */
    OUTAGE;

    static Outcome of(Fault fault) {
      if (fault.operation() == Operation.ADDRESS || fault.operation() == Operation.PERSIST) {
        return NOTHING; // Who has no address is read; and a cache waits for no disk.
      }
      return switch (fault.kind()) {
        case SLOW, STUCK -> NOTHING;
        case SHORT, FLIP -> CORRUPTION;
        case ERROR, UNCHECKED, GONE, FULL ->
            fault.operation() == Operation.CHECK ? OUTAGE : FAILURE;
      };
    }
  }

  private BlockCache build() {
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH)
        .admission(AdmissionPresets.admitAll())
        .eviction(FifoEviction::new)
        .checksum(Checksum.CRC32C)
        .mediumBackOff(Duration.ofSeconds(10))
        .mediumStuckAfter(Duration.ofSeconds(5))
        .testing(TestHook.debug(), TestHook.nanoTime(now::get))
        .maintainedByCaller()
        .build();
  }

  @AfterEach
  void end() {
    medium.heal();
    threads.shutdownNow();
  }

  static Stream<Arguments> faults() {
    return Stream.of(Below.values())
        .flatMap(
            below ->
                Stream.of(Fault.values())
                    .filter(
                        fault -> below == Below.MEMORY || fault.operation() != Operation.ADDRESS)
                    .map(fault -> Arguments.of(below, fault)));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void shouldMissOrRefuseAccountForItAndRecover(Below below, Fault fault) throws Exception {
    medium = over(below);
    medium.showAddresses = fault.operation() == Operation.ADDRESS;
    medium.inPieces = true;
    try (BlockCache cache = build()) {
      // Blocks are laid out in order: a call that is stuck concerns the first one's place only.
      medium.inject(fault, offset -> fault.kind() != Kind.STUCK || offset == 0);
      CompletableFuture<Integer> use = CompletableFuture.supplyAsync(() -> use(cache), threads);
      if (fault.kind() == Kind.STUCK && fault.operation() != Operation.PERSIST) {
        medium.awaitInjection();
        useBesideAStuckCall(cache, fault);
        assertThat(use.isDone()).as("it is stuck").isFalse();
        medium.heal();
      }
      assertAccountedFor(fault, cache, use.get(1, TimeUnit.MINUTES));

      medium.heal();
      pass(cache, 30);
      assertThat(cache.control().health().inService()).isTrue();
      assertThat(offer(cache, ELSEWHERE)).isEqualTo(OfferResult.ADMITTED);
      assertThat(get(cache, ELSEWHERE)).isEqualTo(LENGTH);
    }
    assertThat(medium.closed.get()).isEqualTo(1);
  }

  private void useBesideAStuckCall(BlockCache cache, Fault fault) {
    for (long block = ELSEWHERE; block < ELSEWHERE + 1000; block++) {
      assertThat(offer(cache, block)).isEqualTo(OfferResult.ADMITTED);
      if (fault.operation() != Operation.ADDRESS) { // They all lie in one extent.
        assertThat(get(cache, block)).isEqualTo(LENGTH);
      }
      assertThat(get(cache, block + 1)).isEqualTo(BlockCache.MISS);
      assertThat(cache.invalidate(file, block * LENGTH)).isTrue();
    }
  }

  /** Three blocks, each read in another way, and a second of time; how many were hits. */
  private int use(BlockCache cache) {
    for (long block = 0; block < 3; block++) {
      assertThat(offer(cache, block)).isIn(OfferResult.ADMITTED, OfferResult.MEDIUM_FAILED);
    }
    int hits = get(cache, 0) == BlockCache.MISS ? 0 : 1;
    try (PinnedBlock pin = cache.pin(file, LENGTH)) {
      if (pin != null) {
        hits++;
        ByteBuffer copy = ByteBuffer.allocate(LENGTH); // Buffers would keep the medium open.
        pin.copyTo(copy);
        TestBlock.assertMatches(copy.flip(), file, LENGTH, LENGTH);
      }
    }
    ByteBuffer part = ByteBuffer.allocate(8);
    if (cache.getRange(file, 2 * LENGTH, LENGTH - 8, part) != BlockCache.MISS) {
      hits++;
      ByteBuffer block = TestBlock.of(file, 2 * LENGTH, LENGTH);
      assertThat(part.flip()).isEqualTo(block.position(LENGTH - 8));
    }
    pass(cache, 1);
    return hits;
  }

  private void assertAccountedFor(Fault fault, BlockCache cache, int hits) {
    long injected = medium.injected.get();
    long failures = cache.stats().mediumFailures();
    long corrupt = cache.control().health().checksumFailures();
    assertThat(injected == 0)
        .as("%d times; no block waits until it is on a disk", injected)
        .isEqualTo(fault.operation() == Operation.PERSIST);
    Outcome outcome = Outcome.of(fault);
    assertThat(failures).isEqualTo(outcome == Outcome.FAILURE ? injected : 0);
    assertThat(corrupt).isEqualTo(outcome == Outcome.CORRUPTION ? injected : 0);
    assertThat(cache.control().health().inService()).isEqualTo(outcome != Outcome.OUTAGE);
    assertThat(hits).isEqualTo(outcome == Outcome.NOTHING || outcome == Outcome.OUTAGE ? 3 : 0);
  }

  private OfferResult offer(BlockCache cache, long block) {
    long offset = block * LENGTH;
    return cache.offer(file, offset, TestBlock.of(file, offset, LENGTH), Source.READ);
  }

  private int get(BlockCache cache, long block) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    int length = cache.get(file, block * LENGTH, dst);
    if (length != BlockCache.MISS) {
      TestBlock.assertMatches(dst.flip(), file, block * LENGTH, LENGTH);
    }
    return length;
  }

  /** As the background does once a second. */
  private void pass(BlockCache cache, int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      cache.control().maintain();
    }
  }
}
