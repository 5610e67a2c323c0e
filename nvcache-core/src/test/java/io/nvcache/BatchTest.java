// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.testing.Race;
import io.nvcache.testing.Seeds;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A batch of lookups does what so many lookups do, with one wait for the medium. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class BatchTest {
  private static final int PAGE = 4096;
  private static final int LENGTH = 4000;
  private static final long FILE = 7;

  /** More than the buffer holds, so that the first ones are on the medium. */
  private static final int BLOCKS = 500;

  private final Side side = new Side(4 << 20);
  private final FaultyMedium medium = side.medium;
  private final BlockCache cache = side.cache;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** A cache whose medium reads several blocks at once. */
  private static final class Side implements AutoCloseable {
    private final FaultyMedium medium;
    private final BlockCache cache;

    Side(int capacityBytes) {
      medium = new FaultyMedium(NativeMedium.allocate(capacityBytes));
      medium.readsAtOnce = 8;
      cache =
          BlockCache.builder()
              .medium(medium)
              .placement(BlockPlacement.REGIONS)
              .maxBlockBytes(PAGE)
              .expectedBlockBytes(PAGE)
              .maxMediumFailures(Integer.MAX_VALUE)
              .admission(AdmissionPresets.admitAll())
              .testing(TestHook.hashSeed(7), TestHook.nanoTime(() -> 1))
              .maintainedByCaller()
              .build();
    }

    void fill() {
      for (int block = 0; block < BLOCKS; block++) {
        ByteBuffer bytes = TestBlock.of(FILE, offset(block), LENGTH);
        assertThat(cache.offer(FILE, offset(block), bytes, Source.READ))
            .isEqualTo(OfferResult.ADMITTED);
      }
    }

    @Override
    public void close() {
      medium.heal();
      cache.close();
    }
  }

  /** What {@link BlockCache#getAll} is called with. */
  private static final class Batch {
    final long[] fileIds;
    final long[] offsets;
    final ByteBuffer[] dsts;
    final int[] lengths;

    Batch(int count) {
      fileIds = new long[count];
      offsets = new long[count];
      dsts = new ByteBuffer[count];
      lengths = new int[count];
    }

    static Batch of(int... blocks) {
      Batch batch = new Batch(blocks.length);
      for (int i = 0; i < blocks.length; i++) {
        batch.set(i, FILE, offset(blocks[i]), ByteBuffer.allocate(PAGE + 2).position(1));
      }
      return batch;
    }

    void set(int number, long fileId, long offset, ByteBuffer dst) {
      fileIds[number] = fileId;
      offsets[number] = offset;
      dsts[number] = dst;
      lengths[number] = -77;
    }

    int getAll(BlockCache from) {
      return from.getAll(fileIds.length, fileIds, offsets, dsts, lengths);
    }

    void assertHit(int number) {
      assertThat(lengths[number]).as("block %d", number).isEqualTo(LENGTH);
      ByteBuffer dst = dsts[number];
      assertThat(dst.position()).isEqualTo(1 + LENGTH);
      ByteBuffer bytes = dst.duplicate().flip().position(1);
      TestBlock.assertMatches(bytes, fileIds[number], offsets[number], LENGTH);
    }

    void assertMissed(int number) {
      assertThat(lengths[number]).as("block %d", number).isEqualTo(BlockCache.MISS);
      assertThat(dsts[number].position()).isOne();
    }
  }

  private static long offset(int block) {
    return (long) block * PAGE;
  }

  @AfterEach
  void close() {
    side.close();
    threads.shutdown();
  }

  @Test
  void shouldReadWithOneCallOfTheMedium() {
    side.fill();
    long reads = medium.reads.get();
    Batch batch = Batch.of(0, 1, 2, 3, BLOCKS + 5, 5, 6, 7);

    assertThat(batch.getAll(cache)).isEqualTo(7);

    assertThat(medium.batches).hasValue(1);
    assertThat(medium.reads.get() - reads).isEqualTo(7);
    for (int i = 0; i < 8; i++) {
      if (i == 4) {
        batch.assertMissed(i);
      } else {
        batch.assertHit(i);
      }
    }
    assertThat(cache.stats().hits()).isEqualTo(7);
    assertThat(cache.stats().misses()).isOne();
    assertThat(cache.stats().hitBytes()).isEqualTo(7 * LENGTH);
  }

  @Test
  void shouldTakeMoreBlocksThanTheMediumIsAskedForAtOnce() {
    side.fill();
    int[] blocks = new Random(1).ints(150, 0, 300).toArray();
    Batch batch = Batch.of(blocks);

    assertThat(batch.getAll(cache)).isEqualTo(150);

    for (int i = 0; i < 150; i++) {
      batch.assertHit(i);
    }
    assertThat(medium.batches.get()).isBetween(2L, 8L);
  }

  @Test
  void shouldReadABlockOnceThatIsWantedTwice() {
    side.fill();
    long reads = medium.reads.get();
    Batch batch = Batch.of(3, 4, 3, 3);

    assertThat(batch.getAll(cache)).isEqualTo(4);

    for (int i = 0; i < 4; i++) {
      batch.assertHit(i);
    }
    assertThat(medium.reads.get() - reads).isEqualTo(2);
    assertThat(cache.stats().hits()).isEqualTo(4);
  }

  @Test
  void shouldNotReadAheadWhatIsWantedAlone() {
    side.fill();
    Batch batch = Batch.of(3);
    assertThat(batch.getAll(cache)).isOne();
    batch.assertHit(0);
    assertThat(medium.batches).hasValue(0);
  }

  /** Such as those at the end of the log, which are in its buffer. */
  @Test
  void shouldNotAskTheMediumForWhatItNeedNot() {
    side.fill();
    long reads = medium.reads.get();
    Batch batch = Batch.of(BLOCKS - 1, BLOCKS - 2, BLOCKS + 1);
    assertThat(batch.getAll(cache)).isEqualTo(2);
    assertThat(medium.reads.get()).isEqualTo(reads);
  }

  @Test
  void shouldServeTheOthersIfACallersBufferIsRefused() {
    side.fill();
    Batch batch = Batch.of(0, 1, 2, 3, 4, 5);
    batch.dsts[1] = ByteBuffer.allocate(LENGTH - 1);
    batch.dsts[2] = ByteBuffer.allocate(PAGE).asReadOnlyBuffer();
    batch.dsts[3] = null;
    batch.offsets[4] = -1;

    assertThatThrownBy(() -> batch.getAll(cache))
        .isInstanceOf(BufferOverflowException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .hasOnlyElementsOfTypes(
                        ReadOnlyBufferException.class,
                        NullPointerException.class,
                        IllegalArgumentException.class)
                    .hasSize(3));

    batch.assertHit(0);
    batch.assertHit(5);
    assertThat(Arrays.copyOfRange(batch.lengths, 1, 5)).containsOnly(BlockCache.MISS);
    assertThat(Batch.of(1, 2, 3, 4).getAll(cache)).isEqualTo(4);
  }

  @Test
  void shouldRefuseArraysThatAreTooShortBeforeAnythingIsLookedUp() {
    Batch batch = Batch.of(0, 1);
    for (int count : new int[] {-1, 3}) {
      assertThatThrownBy(
              () -> cache.getAll(count, new long[4], batch.offsets, new ByteBuffer[4], new int[4]))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("count is " + count);
    }
    assertThat(cache.getAll(0, new long[0], new long[0], new ByteBuffer[0], new int[0])).isZero();
    assertThat(cache.stats().lookups()).isZero();
  }

  /** A failure is one of the lookup, which reads again alone, and counts as one. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"READ_ERROR", "READ_THROWS", "READ_GONE", "BIT_FLIP"})
  void shouldMissNoMoreThanTheBlocksThatTheMediumFailsOn(Fault fault) {
    side.fill();
    Batch batch = Batch.of(0, 1, 2, 3, 4, 5);
    assertThat(batch.getAll(cache)).isEqualTo(6);
    AtomicLong at = new AtomicLong(Long.MAX_VALUE);
    medium.inject(fault, offset -> Math.abs(offset - at.get()) < PAGE);
    // Wherever the fourth block lies: the one that fails alone shows the place.
    for (long offset = 0; at.get() == Long.MAX_VALUE && offset < 4 << 20; offset += PAGE) {
      long tried = offset;
      medium.inject(fault, from -> from <= tried && from + 2 * PAGE > tried);
      if (cache.control().peek(FILE, offset(3), ByteBuffer.allocate(PAGE)) == BlockCache.MISS) {
        at.set(tried);
      }
    }
    long failures = cache.stats().mediumFailures();
    long misses = cache.stats().misses();
    Batch again = Batch.of(0, 1, 2, 3, 4, 5);

    int found = again.getAll(cache);

    again.assertMissed(3);
    assertThat(found).isBetween(3, 5); // Its neighbours may lie in the same granules.
    assertThat(cache.stats().misses() - misses).isEqualTo(6 - found);
    assertThat(cache.stats().mediumFailures() - failures).isLessThanOrEqualTo(6 - found);
    medium.heal();
    for (int i = 0; i < 6; i++) {
      if (again.lengths[i] != BlockCache.MISS) {
        again.assertHit(i);
      }
    }
  }

  @Test
  void shouldLookUpOneByOneWhatTheMediumLeftWhenItThrew() {
    side.fill();
    medium.batchFailure = new IllegalStateException("injected");
    Batch batch = Batch.of(0, 1, 2, 3, 4, 5);
    long reads = medium.reads.get();

    assertThat(batch.getAll(cache)).isEqualTo(6);

    assertThat(medium.reads.get() - reads).isEqualTo(6);
    for (int i = 0; i < 6; i++) {
      batch.assertHit(i);
    }
    assertThat(cache.stats().mediumFailures()).isZero();
  }

  @Test
  void shouldMissWhatWasInvalidatedWhileItWasRead() throws Exception {
    side.fill();
    medium.inject(Fault.STUCK_READ);
    Batch batch = Batch.of(0, 1, 2, 3);
    CompletableFuture<Integer> found =
        CompletableFuture.supplyAsync(() -> batch.getAll(cache), threads);
    medium.awaitInjection();
    cache.invalidate(FILE, offset(2));
    medium.heal();

    assertThat(found.get()).isEqualTo(3);

    batch.assertMissed(2);
    batch.assertHit(0);
    batch.assertHit(3);
  }

  /** With other bytes by now, under the same name. */
  @Test
  void shouldNotGiveTheBytesThatABlockHadBefore() throws Exception {
    side.fill();
    medium.inject(Fault.STUCK_READ);
    Batch batch = Batch.of(0, 1, 2, 3);
    CompletableFuture<Integer> found =
        CompletableFuture.supplyAsync(() -> batch.getAll(cache), threads);
    medium.awaitInjection();
    cache.invalidate(FILE, offset(2));
    cache.offer(FILE, offset(2), TestBlock.of(FILE + 1, 0, LENGTH), Source.READ);
    medium.heal();

    assertThat(found.get()).isEqualTo(4);

    ByteBuffer bytes = batch.dsts[2].duplicate().flip().position(1);
    TestBlock.assertMatches(bytes, FILE + 1, 0, LENGTH);
  }

  /**
   * Name, length and place of the block are the same: only the region was reclaimed in between. It
   * fills a page, so that no header tells.
   */
  @Test
  void shouldNotGiveTheBytesThatLayThereBeforeTheRegionWasReclaimed() throws Exception {
    replace(0, FILE);
    long place = placeOf(0);
    medium.holdBatches = new CountDownLatch(1);
    Batch batch = Batch.of(0, 1);
    CompletableFuture<Integer> found =
        CompletableFuture.supplyAsync(() -> batch.getAll(cache), threads);
    medium.awaitInjection();
    int rounds = 0;
    do {
      replace(rounds, FILE + 1);
    } while (placeOf(0) != place && ++rounds < 2000);
    assertThat(placeOf(0)).isEqualTo(place);
    medium.holdBatches.countDown();
    medium.holdBatches = null;

    assertThat(found.get()).isPositive();

    ByteBuffer bytes = batch.dsts[0].duplicate().flip().position(1);
    TestBlock.assertMatches(bytes, FILE + 1, 0, PAGE);
  }

  /** Caches the first block with other bytes, and more blocks until it is on the medium. */
  private void replace(int round, long whose) {
    cache.invalidate(FILE, 0);
    offer(0, whose);
    for (int i = 1; i < BLOCKS / 2 + round % 31; i++) { // So that it moves within regions.
      offer(round * BLOCKS + i, whose);
    }
  }

  private void offer(int block, long whose) {
    ByteBuffer bytes = TestBlock.of(whose, offset(block), PAGE);
    cache.offer(FILE, offset(block), bytes, Source.READ);
  }

  /** Returns where on the medium a block is read; a negative number if it need not be. */
  private long placeOf(int block) {
    AtomicLong place = new AtomicLong(-1);
    medium.inject(
        Fault.READ_ERROR,
        at -> {
          place.set(at);
          return false;
        });
    cache.control().peek(FILE, offset(block), ByteBuffer.allocate(PAGE));
    medium.heal();
    return place.get();
  }

  @Test
  void shouldWaitForABatchWhenClosed_AndMissAfterwards() throws Exception {
    side.fill();
    medium.inject(Fault.STUCK_READ);
    Batch batch = Batch.of(0, 1, 2, 3);
    CompletableFuture<Integer> found =
        CompletableFuture.supplyAsync(() -> batch.getAll(cache), threads);
    medium.awaitInjection();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(cache::close, threads);
    while (cache.offer(FILE, 1, TestBlock.of(FILE, 1, LENGTH), Source.READ) != OfferResult.CLOSED) {
      Thread.onSpinWait();
    }
    assertThat(medium.closed).hasValue(0);
    medium.heal();

    assertThat(found.get()).isZero(); // What was read is not given out any more.
    closing.get();
    assertThat(medium.closed).hasValue(1);
    Batch late = Batch.of(0, 1);
    assertThat(late.getAll(cache)).isZero();
    late.assertMissed(0);
  }

  @Test
  void shouldHaveOthersJoinTheReadsOfABatch() throws Exception {
    side.fill();
    long reads = medium.reads.get();
    medium.inject(Fault.STUCK_READ);
    Batch batch = Batch.of(0, 1, 2, 3);
    Batch same = Batch.of(0, 1, 2, 3);
    CompletableFuture<Integer> first =
        CompletableFuture.supplyAsync(() -> batch.getAll(cache), threads);
    medium.awaitInjection();
    CompletableFuture<Integer> second =
        CompletableFuture.supplyAsync(() -> same.getAll(cache), threads);
    while (cache.stats().lookups() == 0) { // The second waits in its first lookup.
      Thread.onSpinWait();
    }
    medium.heal();

    assertThat(first.get() + second.get()).isEqualTo(8);
    for (int i = 0; i < 4; i++) {
      batch.assertHit(i);
      same.assertHit(i);
    }
    assertThat(medium.reads.get() - reads).isLessThan(8);
  }

  /** The same calls on two caches, one by batches and one by gets: the same comes of them. */
  @Test
  void shouldDoWhatSoManyGetsDo() {
    Seeds.each(
        10,
        random -> {
          try (Side batches = new Side(2 << 20);
              Side gets = new Side(2 << 20)) {
            for (int step = 0; step < 1000; step++) {
              step(random, batches, gets);
            }
            assertThat(batches.medium.batches.get()).isPositive();
            assertThat(gets.medium.batches).hasValue(0);
            assertThat(counts(batches.cache)).isEqualTo(counts(gets.cache));
          }
        });
  }

  private static String counts(BlockCache cache) {
    CacheStats stats = cache.stats();
    return Arrays.toString(
        new long[] {
          stats.lookups(),
          stats.hits(),
          stats.misses(),
          stats.hitBytes(),
          stats.admittedBytes(),
          stats.evictions()
        });
  }

  private static void step(Random random, Side batches, Side gets) {
    long fileId = 1 + random.nextInt(3);
    int first = random.nextInt(300);
    switch (random.nextInt(8)) {
      case 0 -> {
        batches.cache.invalidate(fileId, offset(first));
        gets.cache.invalidate(fileId, offset(first));
      }
      case 1, 2, 3 -> {
        for (int block = first; block < first + 20; block++) {
          ByteBuffer bytes = TestBlock.of(fileId, offset(block), length(fileId, block));
          assertThat(batches.cache.offer(fileId, offset(block), bytes, Source.READ))
              .isEqualTo(gets.cache.offer(fileId, offset(block), bytes, Source.READ));
        }
      }
      default -> lookUp(random, batches, gets);
    }
    if (random.nextInt(500) == 0) {
      batches.cache.invalidateFile(fileId);
      gets.cache.invalidateFile(fileId);
    }
    batches.cache.control().maintain();
    gets.cache.control().maintain();
  }

  private static int length(long fileId, int block) {
    return TestBlock.length(fileId, offset(block), 8, PAGE);
  }

  private static void lookUp(Random random, Side batches, Side gets) {
    Batch batch = new Batch(1 + random.nextInt(50));
    for (int i = 0; i < batch.fileIds.length; i++) {
      int room = random.nextInt(100) == 0 ? 100 : PAGE;
      batch.set(
          i,
          1 + random.nextInt(3),
          offset(random.nextInt(320)),
          random.nextBoolean() ? ByteBuffer.allocate(room) : ByteBuffer.allocateDirect(room));
    }
    // Where each block is read ahead, and none is left for a lookup alone.
    int count = batch.fileIds.length;
    if (random.nextInt(4) == 0 && count > 1 && count <= 32) {
      batches.medium.inject(Fault.READ_ERROR, once(random));
    }
    try {
      batch.getAll(batches.cache);
    } catch (BufferOverflowException tooSmall) {
      // Below it is seen that the same are.
    }
    batches.medium.heal();
    for (int i = 0; i < batch.fileIds.length; i++) {
      ByteBuffer dst = ByteBuffer.allocate(batch.dsts[i].capacity());
      int length = BlockCache.MISS;
      try {
        length = gets.cache.get(batch.fileIds[i], batch.offsets[i], dst);
      } catch (BufferOverflowException tooSmall) {
        // As it should be.
      }
      assertThat(batch.lengths[i]).isEqualTo(length);
      assertThat(batch.dsts[i].flip()).isEqualTo(dst.flip());
    }
  }

  /** Reads fail once each: in the batch, but not again when the lookup reads alone. */
  private static LongPredicate once(Random random) {
    Set<Long> failed = new HashSet<>();
    long part = 2 + random.nextInt(3);
    return offset -> (offset / PAGE) % part == 0 && failed.add(offset);
  }

  @Test
  void shouldNeverGiveAnotherBlocksBytes() throws Exception {
    try (Side used = new Side(2 << 20)) {
      BlockCache shared = used.cache;
      AtomicLong hits = new AtomicLong();
      Race.run(
          4,
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int step = 0; step < 4000; step++) {
              long fileId = 1 + random.nextInt(4);
              int block = random.nextInt(400);
              int choice = random.nextInt(10);
              if (choice == 0) {
                shared.invalidate(fileId, offset(block));
              } else if (choice < 5) {
                for (int i = 0; i < 8; i++) {
                  ByteBuffer bytes =
                      TestBlock.of(fileId, offset(block + i), length(fileId, block + i));
                  shared.offer(fileId, offset(block + i), bytes, Source.READ);
                }
              } else {
                hits.addAndGet(lookUpChecked(shared, random));
              }
              if (choice == 9 && random.nextInt(100) == 0) {
                shared.invalidateFile(fileId);
              }
            }
          });
      assertThat(hits.get()).isPositive();
      assertThat(used.medium.batches.get()).isPositive();
    }
  }

  private static int lookUpChecked(BlockCache cache, SplittableRandom random) {
    Batch batch = new Batch(8);
    for (int i = 0; i < 8; i++) {
      batch.set(i, 1 + random.nextInt(4), offset(random.nextInt(408)), ByteBuffer.allocate(PAGE));
    }
    int found = batch.getAll(cache);
    for (int i = 0; i < 8; i++) {
      if (batch.lengths[i] != BlockCache.MISS) {
        int length = length(batch.fileIds[i], (int) (batch.offsets[i] / PAGE));
        assertThat(batch.lengths[i]).isEqualTo(length);
        TestBlock.assertMatches(batch.dsts[i].flip(), batch.fileIds[i], batch.offsets[i], length);
      }
    }
    return found;
  }
}
