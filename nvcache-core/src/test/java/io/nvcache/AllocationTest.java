// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a store does for each of its blocks allocates nothing. Of several rounds the least one
 * counts: what is allocated once, such as a thread's own, is in one of them, and what each
 * operation allocates is in all.
 */
final class AllocationTest {
  private static final int LENGTH = 4096;
  private static final int CAPACITY_BYTES = 4 << 20;
  private static final int FITTING = CAPACITY_BYTES / LENGTH;

  /** Of which half are evicted at any time. */
  private static final int BLOCKS = 2 * FITTING;

  private static final int ROUNDS = 6;
  private static final int OPERATIONS = 20_000;
  private static final int FEW_OPERATIONS = 500;

  /** Two hundred bytes in a round: what the JVM or a tool may do now and then on any thread. */
  private static final double NOISE = 0.01;

  private static final long FILE = 1;
  private static final int FROM = 77;

  /** RawMemory.deliverFaults makes an empty array of arrays. */
  private static final int FAULTS_BYTES = 16;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path directory;

  private final ByteBuffer heap = ByteBuffer.allocate(LENGTH);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(LENGTH);
  private final ByteBuffer readOnlyHeap = ByteBuffer.allocate(LENGTH).asReadOnlyBuffer();
  private BlockCache cache;

  /** Where the blocks lie. */
  private enum Place {
    NATIVE,
    MAPPED,
    FLASH
  }

  static Stream<Arguments> places() {
    return Stream.of(Place.NATIVE, Place.MAPPED)
        .flatMap(place -> Arrays.stream(Checksum.values()).map(sum -> Arguments.of(place, sum)));
  }

  static Stream<Arguments> policies() {
    return Stream.of(PolicyPreset.DEFAULT, PolicyPreset.ADMIT_ALL)
        .flatMap(policy -> places().map(at -> Arguments.of(policy, at.get()[0], at.get()[1])));
  }

  private void open(PolicyPreset policies, Place place, Checksum checksum) {
    BlockCacheBuilder builder = BlockCache.builder();
    switch (place) {
      case NATIVE -> builder.nativeMemory(CAPACITY_BYTES);
      case MAPPED -> builder.mappedFile(directory.resolve("blocks"), CAPACITY_BYTES);
      case FLASH ->
          builder
              .flash(directory.resolve("blocks"), CAPACITY_BYTES)
              .placement(BlockPlacement.IN_PLACE);
    }
    cache =
        builder
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(LENGTH)
            .testing(TestHook.hashSeed(20261122))
            .checksum(checksum)
            .policies(policies)
            .maintainedByCaller()
            .build();
  }

  /** Blocks that stay, since there is room for twice as many. */
  private void openWithBlocks(PolicyPreset policies, Place place, Checksum checksum) {
    open(policies, place, checksum);
    for (int i = 0; i < FITTING / 2; i++) {
      while (offer(i, heap) != OfferResult.ADMITTED) { // Until lookups have earned the write.
        assertThat(cache.get(FILE, (long) i * LENGTH, heap.clear())).isEqualTo(BlockCache.MISS);
      }
    }
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private OfferResult offer(long number, ByteBuffer block) {
    return cache.offer(FILE, number * LENGTH, block.clear(), Source.READ);
  }

  /** The least of the rounds, divided by its operations. */
  private static double bytesAnOperation(LongConsumer operation) {
    return bytesAnOperation(OPERATIONS, operation);
  }

  private static double bytesAnOperation(int operations, LongConsumer operation) {
    long thread = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    long number = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getThreadAllocatedBytes(thread);
      for (int i = 0; i < operations; i++) {
        operation.accept(number++);
      }
      least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
    }
    return (double) least / operations;
  }

  private static void assertAllocatesNothing(LongConsumer operation) {
    assertThat(bytesAnOperation(operation)).as("bytes an operation").isLessThan(NOISE);
  }

  private static void assertAllocates(Place place, LongConsumer operation) {
    int due = place == Place.MAPPED ? FAULTS_BYTES : 0;
    assertThat(bytesAnOperation(operation)).as("bytes an operation").isLessThan(due + NOISE);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void shouldAllocateNothingOnAHit(PolicyPreset policies, Place place, Checksum checksum) {
    openWithBlocks(policies, place, checksum);
    long blocks = cache.stats().blocks();

    for (ByteBuffer dst : new ByteBuffer[] {heap, direct}) {
      assertAllocatesNothing(i -> check(cache.get(FILE, i % blocks * LENGTH, dst.clear()), LENGTH));
      assertAllocatesNothing(
          i -> check(cache.getRange(FILE, i % blocks * LENGTH, FROM, dst.clear()), LENGTH - FROM));
    }
  }

  /** Without AssertJ, which allocates. */
  private static void check(int copied, int expected) {
    if (copied != expected) {
      throw new AssertionError("copied " + copied + " instead of " + expected);
    }
  }

  @ParameterizedTest
  @MethodSource("places")
  void shouldAllocateNothingWhereAPinMoves(Place place, Checksum checksum) {
    openWithBlocks(PolicyPreset.ADMIT_ALL, place, checksum);
    long blocks = cache.stats().blocks();
    ReusablePin pin = cache.reusablePin();

    for (ByteBuffer dst : new ByteBuffer[] {heap, direct}) {
      assertAllocatesNothing(
          i -> {
            check(pin.moveTo(FILE, i % blocks * LENGTH), LENGTH);
            check(pin.copyRange(FROM, dst.clear()), LENGTH - FROM);
          });
    }
    assertAllocatesNothing(i -> check(pin.moveTo(FILE + 1, 0), BlockCache.MISS));
  }

  @Test
  void shouldAllocateNothingWhereACursorMoves() {
    openWithBlocks(PolicyPreset.ADMIT_ALL, Place.NATIVE, Checksum.NONE);
    long blocks = cache.stats().blocks();
    BlockCursor cursor = cache.view(FILE, LENGTH, blocks * LENGTH).cursor();
    byte[] bytes = new byte[FROM];

    assertAllocatesNothing(
        i -> {
          check(cursor.moveTo(i % blocks * LENGTH), LENGTH);
          cursor.get(FROM, bytes, 0, FROM);
          check(cursor.isThere() ? 1 : 0, 1);
        });
    assertAllocatesNothing(i -> check(cursor.moveTo(blocks * LENGTH), BlockCache.MISS));
  }

  /** Where pins may hold nothing, it copies to its own memory. */
  @Test
  void shouldAllocateNothingWhereAPinMovesByCopying() {
    openWithBlocks(PolicyPreset.ADMIT_ALL, Place.NATIVE, Checksum.NONE);
    cache.control().settings().setMaxPinnedBytes(0);
    long blocks = cache.stats().blocks();
    ReusablePin pin = cache.reusablePin();

    assertAllocatesNothing(i -> check(pin.moveTo(FILE, i % blocks * LENGTH), LENGTH));
    assertThat(cache.stats().pinnedBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "ADMIT_ALL"})
  void shouldAllocateNothingOnAMiss(PolicyPreset policies) {
    openWithBlocks(policies, Place.NATIVE, Checksum.NONE);

    assertAllocatesNothing(i -> check(cache.get(FILE + 1 + i, 0, heap.clear()), BlockCache.MISS));
    assertAllocatesNothing(
        i -> check(cache.get(FILE, (FITTING + i) * LENGTH, heap.clear()), BlockCache.MISS));
  }

  @ParameterizedTest
  @MethodSource("places")
  void shouldAllocateNothingOnAnInsertThatEvicts(Place place, Checksum checksum) {
    open(PolicyPreset.ADMIT_ALL, place, checksum);
    for (ByteBuffer block : new ByteBuffer[] {heap, direct, readOnlyHeap}) {
      long before = cache.stats().evictions();

      assertAllocates(place, i -> offer(i % BLOCKS, block));

      assertThat(cache.stats().evictions() - before)
          .as("evictions")
          .isGreaterThan(ROUNDS * OPERATIONS / 3);
    }
  }

  /** A drive takes its time: few operations, in which one object more would be seen as well. */
  @ParameterizedTest
  @EnumSource(Checksum.class)
  void shouldAllocateNothingForAHitOrAnInsertOnFlash(Checksum checksum) {
    openWithBlocks(PolicyPreset.ADMIT_ALL, Place.FLASH, checksum);
    long blocks = cache.stats().blocks();
    ReusablePin pin = cache.reusablePin();
    for (ByteBuffer block : new ByteBuffer[] {heap, direct}) {
      assertThat(
              bytesAnOperation(
                  FEW_OPERATIONS,
                  i -> {
                    long offset = i % blocks * LENGTH;
                    check(cache.get(FILE, offset, block.clear()), LENGTH);
                    check(cache.getRange(FILE, offset, FROM, block.clear()), LENGTH - FROM);
                    check(pin.moveTo(FILE, offset), LENGTH);
                    check(pin.copyRange(FROM, block.clear()), LENGTH - FROM);
                  }))
          .as("bytes of three hits")
          .isLessThan(1);
    }
    for (ByteBuffer block : new ByteBuffer[] {heap, direct, readOnlyHeap}) {
      assertThat(bytesAnOperation(FEW_OPERATIONS, i -> offer(i % BLOCKS, block)))
          .as("bytes of an insert")
          .isLessThan(1);
    }
  }

  /** From the buffer and from the drive; what is written is written by another thread. */
  @Test
  void shouldAllocateNothingForAHitOrAnOfferInRegions() {
    int inBuffer = 16;
    int blocks = 256;
    cache =
        BlockCache.builder()
            .flash(directory.resolve("regions"), 4L * blocks * LENGTH)
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(LENGTH)
            .policies(PolicyPreset.ADMIT_ALL)
            .build();
    for (int i = 0; i < blocks; i++) {
      while (offer(i, heap) != OfferResult.ADMITTED) {
        Thread.onSpinWait(); // Until a piece is written.
      }
    }
    ReusablePin pin = cache.reusablePin();
    for (int first : new int[] {0, blocks - inBuffer}) {
      for (ByteBuffer block : new ByteBuffer[] {heap, direct}) {
        assertThat(
                bytesAnOperation(
                    FEW_OPERATIONS,
                    i -> {
                      long offset = (first + i % inBuffer) * (long) LENGTH;
                      check(cache.get(FILE, offset, block.clear()), LENGTH);
                      check(cache.getRange(FILE, offset, FROM, block.clear()), LENGTH - FROM);
                      check(pin.moveTo(FILE, offset), LENGTH);
                    }))
            .as("bytes of three hits")
            .isLessThan(1);
      }
    }
    assertThat(bytesAnOperation(FEW_OPERATIONS, i -> offer(blocks + i, heap)))
        .as("bytes of an offer")
        .isLessThan(1);
    assertThat(cache.stats().deviceWrittenBytes()).isPositive();
  }

  /** As a store offers blocks; by default most are refused. */
  @ParameterizedTest
  @MethodSource("policies")
  void shouldAllocateNothingOnAnOfferOfWhatWasMissed(
      PolicyPreset policies, Place place, Checksum checksum) {
    open(policies, place, checksum);

    assertAllocates(place, this::read);

    CacheStats stats = cache.stats();
    assertThat(stats.offers(OfferResult.ADMITTED)).isGreaterThan(2L * FITTING);
    assertThat(stats.evictions()).isGreaterThan(FITTING);
    assertThat(stats.displacements()).isGreaterThan(ROUNDS);
    assertThat(stats.offers(OfferResult.NOT_WORTH_IT) > 0)
        .isEqualTo(policies == PolicyPreset.DEFAULT);
  }

  /** Of a block that is the likelier the lower its number. */
  private void read(long number) {
    long random = (number * 0x9e37_79b9_7f4a_7c15L) ^ ((number * 0xbf58_476d_1ce4_e5b9L) >>> 17);
    long block = Math.min((random >>> 13) % BLOCKS, (random >>> 37) % BLOCKS);
    if (cache.get(FILE, block * LENGTH, heap.clear()) == BlockCache.MISS) {
      offer(block, heap);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DEFAULT", "ADMIT_ALL"})
  void shouldAllocateNothingOnAnInvalidation(PolicyPreset policies) {
    openWithBlocks(policies, Place.NATIVE, Checksum.NONE);

    assertAllocatesNothing(
        i -> {
          long number = i % FITTING;
          cache.invalidate(FILE, number * LENGTH);
          check(cache.get(FILE, number * LENGTH, heap.clear()), BlockCache.MISS);
          offer(number, heap);
        });

    assertThat(cache.stats().invalidations()).isGreaterThan(2L * FITTING);
  }

  /** The accounting would be worth nothing if it overlooked what is allocated. */
  @Test
  void shouldSeeWhatIsAllocated() {
    open(PolicyPreset.ADMIT_ALL, Place.NATIVE, Checksum.NONE);

    assertThat(bytesAnOperation(i -> offer(i % BLOCKS, ByteBuffer.allocateDirect(1))))
        .as("bytes of a buffer's object, and of what frees its memory")
        .isGreaterThan(16);
  }
}
