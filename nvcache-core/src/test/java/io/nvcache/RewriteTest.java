// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.HeatAware;
import io.nvcache.control.CacheControl;
import io.nvcache.testing.ZipfRanks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rewrites under the default policies: what they see, what they carry, what it costs. */
class RewriteTest {
  private static final int BLOCK = 4096;
  private static final int CAPACITY_BLOCKS = 1024;

  private final BlockCache cache = newCache();

  private static BlockCacheBuilder builder() {
    return BlockCache.builder()
        .nativeMemory((long) CAPACITY_BLOCKS * BLOCK)
        .expectedBlockBytes(BLOCK)
        .maintainedByCaller();
  }

  private static BlockCache newCache() {
    return builder().build();
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private static ByteBuffer block(long fileId, long offset) {
    byte[] bytes = new byte[BLOCK];
    Arrays.fill(bytes, (byte) (fileId * 31 + offset / BLOCK));
    return ByteBuffer.wrap(bytes);
  }

  /** Reads as a store does; returns whether it was a hit. */
  private boolean read(long fileId, int number) {
    long offset = (long) number * BLOCK;
    ByteBuffer dst = ByteBuffer.allocate(BLOCK);
    if (cache.get(fileId, offset, dst) == BLOCK) {
      assertThat(dst.flip()).isEqualTo(block(fileId, offset));
      return true;
    }
    cache.offer(fileId, offset, block(fileId, offset), Source.READ);
    return false;
  }

  /** Reads a block of one file, and writes it to another one. */
  private static void copy(Rewrite rewrite, long from, long to, int number) {
    rewrite.read(from, (long) number * BLOCK);
    rewrite.wrote(to, (long) number * BLOCK, BLOCK);
  }

  /** Reads the first blocks of file 1, each so often before the next one. */
  private void readTimes(int blocks, int times) {
    for (int number = 0; number < blocks; number++) {
      for (int reads = 0; reads < times; reads++) {
        read(1, number);
      }
    }
  }

  /** Returns a rewrite of the first blocks of file 1 to file 2. */
  private Rewrite copyOf(int blocks) {
    Rewrite rewrite = cache.rewrite();
    for (int number = 0; number < blocks; number++) {
      copy(rewrite, 1, 2, number);
    }
    return rewrite;
  }

  /** Returns a rewrite of file 1 to file 2, with one block that was read twice. */
  private Rewrite rewriteOfOneHotBlock() {
    readTimes(1, 2);
    return copyOf(1);
  }

  private static ByteBuffer output(long fileId, long offset, int lengthBytes) {
    return block(fileId, offset);
  }

  private Map<String, Long> ledger() {
    return cache.control().ledger().entries();
  }

  @Test
  void shouldChangeNothingByWhatItReads() {
    for (int i = 0; i < 4; i++) {
      read(1, 0);
    }
    CacheStats before = cache.stats();
    double overhead = before.overhead().orElseThrow();
    Rewrite rewrite = cache.rewrite();
    for (int i = 0; i < 1000; i++) {
      try (PinnedBlock input = rewrite.read(1, 0)) {
        assertThat(input).isNotNull();
        assertThat(input.buffer()).isEqualTo(block(1, 0));
      }
      assertThat(rewrite.read(2, 0)).isNull();
    }

    assertThat(cache.stats().lookups()).isEqualTo(before.lookups());
    assertThat(cache.stats().misses()).isEqualTo(before.misses());
    assertThat(cache.stats().overhead()).hasValue(overhead);
    assertThat(ledger()).containsEntry("rewrite.hit", 1000L).containsEntry("rewrite.miss", 1000L);
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  @Test
  void shouldCarryTheHottestBlocksFirst() {
    for (int number = 0; number < 4; number++) {
      for (int reads = 0; reads <= number; reads++) {
        read(1, number);
      }
    }
    Rewrite rewrite = copyOf(4);
    cache.invalidateFile(1);
    List<Long> asked = new ArrayList<>();
    int carried =
        rewrite.carry(
            (fileId, offset, lengthBytes) -> {
              asked.add(offset / BLOCK);
              return block(fileId, offset);
            });

    assertThat(asked).isSortedAccordingTo(Comparator.reverseOrder()).startsWith(3L);
    assertThat(carried).isEqualTo(asked.size());
    assertThat(read(2, 3)).isTrue();
    assertThat(ledger()).containsEntry("carried.admitted", (long) carried);
    assertThat(rewrite.carry(RewriteTest::output)).as("a second time").isZero();
  }

  /** One output in four has the hot key; the heat of the inputs goes to all four. */
  @Test
  void shouldFollowHotKeysToTheirOutputs() {
    readTimes(8, 6);
    Rewrite rewrite = cache.rewrite();
    for (int number = 0; number < 8; number++) {
      rewrite.read(1, (long) number * BLOCK);
      for (int output = 0; output < 4; output++) {
        long offset = (long) (4 * number + output) * BLOCK;
        rewrite.wrote(2, offset, BLOCK, output == number % 4 ? 6 : 0);
      }
    }
    cache.invalidateFile(1);
    List<Long> asked = new ArrayList<>();
    int carried =
        rewrite.carry(
            (fileId, offset, lengthBytes) -> {
              asked.add(offset / BLOCK);
              return block(fileId, offset);
            });

    assertThat(asked).containsExactlyInAnyOrder(0L, 5L, 10L, 15L, 16L, 21L, 26L, 31L);
    assertThat(carried).isEqualTo(8);
  }

  @Test
  void shouldRefuseLookupsThatAreNone() {
    Rewrite rewrite = cache.rewrite();
    for (double lookups : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> rewrite.wrote(7, 4096, BLOCK, lookups))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("keyLookups is " + lookups);
    }
  }

  /** Admits all, and writes down what it hears of rewrites. */
  private static final class Told implements AdmissionPolicy, HeatAware {
    final List<String> calls = new ArrayList<>();

    @Override
    public AdmissionDecision decide(Candidate candidate) {
      if (candidate.isExpected()) {
        calls.add("carry " + candidate.offset() / BLOCK);
      }
      return AdmissionDecision.ADMIT;
    }

    @Override
    public void prime(long fileId, long offset, double recentLookups) {
      calls.add("prime " + offset / BLOCK + " " + recentLookups);
    }

    @Override
    public void reserve(double recentLookups, long bytes) {
      calls.add("reserve " + recentLookups + " " + bytes / BLOCK);
    }

    @Override
    public double recentMisses(long fileId, long offset) {
      return 0;
    }
  }

  @Test
  void shouldPrimeWhatThereIsRoomForAndKeepTheRoomMeanwhile() {
    Told told = new Told();
    try (BlockCache other = builder().admission(context -> told).build()) {
      for (int number = 0; number < 3; number++) {
        other.offer(1, (long) number * BLOCK, block(1, (long) number * BLOCK), Source.READ);
      }
      Rewrite rewrite = other.rewrite();
      double[] lookups = {1.5, 9, 4, 1};
      for (int number = 0; number < lookups.length; number++) {
        rewrite.read(1, (long) number * BLOCK);
        assertThat(rewrite.wrote(2, (long) number * BLOCK, BLOCK, lookups[number]))
            .as("the heat that is told")
            .isEqualTo(lookups[number]);
      }
      other.invalidateFile(1);
      assertThatThrownBy(
              () ->
                  rewrite.carry(
                      (fileId, offset, lengthBytes) -> {
                        if (offset == 2 * BLOCK) {
                          throw new IllegalStateException("the store is broken");
                        }
                        return block(fileId, offset);
                      }))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(told.calls)
        .containsExactly(
            "reserve 2.0 3",
            "prime 1 9.0",
            "prime 2 4.0",
            "prime 0 1.5",
            "carry 1",
            "reserve 2.0 2",
            "carry 2",
            "reserve 2.0 0");
  }

  /** Some with each that is carried, and the rest at the end, however it ends. */
  @Test
  void shouldPrimeAllThatThereIsRoomFor() {
    Told told = new Told();
    int blocks = 30;
    try (BlockCache other = builder().admission(context -> told).build()) {
      Rewrite rewrite = other.rewrite();
      for (int number = 0; number < blocks; number++) {
        long offset = (long) number * BLOCK;
        other.offer(1, offset, block(1, offset), Source.READ);
        rewrite.read(1, offset);
        rewrite.wrote(2, offset, BLOCK, number < 2 ? 100 - number : 1 + 1.0 / (1 + number));
      }
      rewrite.wrote(2, (long) blocks * BLOCK, BLOCK, 1);
      other.invalidateFile(1);
      assertThat(rewrite.carry((fileId, offset, lengthBytes) -> null)).isZero();
    }
    assertThat(told.calls.indexOf("carry 0"))
        .as("the hottest does not wait until all are primed, in %s", told.calls)
        .isLessThan(told.calls.indexOf("prime 20 " + (1 + 1.0 / 21)));
    assertThat(told.calls).filteredOn(call -> call.startsWith("prime")).hasSize(blocks);
    assertThat(told.calls).contains("prime 0 100.0").doesNotContain("prime 30 1.0");
  }

  /** What one lookup asked for is left to the next one. */
  @Test
  void shouldNotReadWhatWasLookedUpOnce() {
    readTimes(4, 2);
    Rewrite rewrite = cache.rewrite();
    for (int number = 0; number < 4; number++) {
      rewrite.read(1, (long) number * BLOCK);
      rewrite.wrote(2, (long) number * BLOCK, BLOCK, number == 3 ? 1.5 : 4);
    }
    cache.invalidateFile(1);
    List<Long> asked = new ArrayList<>();
    rewrite.carry(
        (fileId, offset, lengthBytes) -> {
          asked.add(offset / BLOCK);
          return block(fileId, offset);
        });

    assertThat(asked).containsExactlyInAnyOrder(0L, 1L, 2L);
  }

  @Test
  void shouldTakeNoMoreBytesThanTheInputsHad() {
    readTimes(8, 4);
    for (int number = 3; number < 8; number++) {
      cache.invalidate(1, (long) number * BLOCK);
      read(3, number);
    }
    Rewrite rewrite = copyOf(8);
    cache.invalidateFile(1);

    assertThat(rewrite.carry(RewriteTest::output)).isEqualTo(3);
  }

  /** Until they are reclaimed, the inputs' blocks are in the way of outputs worth as much. */
  @Test
  @Timeout(60)
  void shouldWaitUntilTheInputsHaveMadeRoom() throws Exception {
    int blocks = CAPACITY_BLOCKS / 4;
    readTimes(blocks, 8);
    for (int number = 0; number < CAPACITY_BLOCKS; number++) {
      for (int reads = 0; reads < 8; reads++) {
        read(3, number);
      }
    }
    long inputs = cache.control().countBlocks(1);
    Rewrite rewrite = copyOf(blocks);
    cache.invalidateFile(1);
    Thread carrier = Thread.currentThread();
    AtomicBoolean isOver = new AtomicBoolean();
    Thread reclaimer =
        new Thread(
            () -> {
              while (carrier.getState() != Thread.State.TIMED_WAITING && !isOver.get()) {
                Thread.onSpinWait();
              }
              cache.control().maintain();
            });
    reclaimer.start();
    int carried = rewrite.carry(RewriteTest::output);
    isOver.set(true);
    reclaimer.join();

    assertThat(carried).isGreaterThan((int) inputs / 2);
  }

  @Test
  void shouldAskForNoOtherBlockOfAFileThatIsGone() {
    readTimes(4, 4);
    Rewrite rewrite = cache.rewrite();
    for (int number = 0; number < 4; number++) {
      copy(rewrite, 1, number < 2 ? 2 : 3, number);
    }
    cache.invalidateFile(1);
    List<Long> asked = new ArrayList<>();
    int carried =
        rewrite.carry(
            (fileId, offset, lengthBytes) -> {
              asked.add(fileId);
              return fileId == 2 ? null : block(fileId, offset);
            });

    assertThat(carried).isEqualTo(2);
    assertThat(asked).containsOnlyOnce(2L);
    assertThat(ledger()).containsEntry("carried.unreadable", 1L);
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  /**
   * Each thread waits in the store for all others: none could continue if one of them read alone.
   */
  @Test
  @Timeout(60)
  void shouldShareTheBlocksAmongThreadsThatCarryTogether() throws Exception {
    int threads = 4;
    int blocks = 8 * threads;
    readTimes(blocks, 4);
    Rewrite rewrite = copyOf(blocks);
    cache.invalidateFile(1);
    CyclicBarrier inTheStore = new CyclicBarrier(threads);
    List<Long> asked = Collections.synchronizedList(new ArrayList<>());
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Integer>> calls =
          Collections.nCopies(
              threads,
              () ->
                  rewrite.carry(
                      (fileId, offset, lengthBytes) -> {
                        asked.add(offset / BLOCK);
                        await(inTheStore);
                        return block(fileId, offset);
                      }));
      int carried = 0;
      for (Future<Integer> call : executor.invokeAll(calls)) {
        carried += call.get();
      }
      assertThat(carried).isEqualTo(blocks);
    } finally {
      executor.shutdownNow();
    }
    assertThat(asked).hasSize(blocks).doesNotHaveDuplicates();
    assertThat(ledger()).containsEntry("carried.admitted", (long) blocks);
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldTakeTheRoomOfABlockThatIsBeingRead() {
    readTimes(2, 4);
    Rewrite rewrite = cache.rewrite();
    for (int number = 0; number < 2; number++) {
      if (number == 1) {
        cache.invalidate(1, BLOCK); // So there is room for one.
      }
      copy(rewrite, 1, 2, number);
      rewrite.wrote(3, (long) number * BLOCK, BLOCK, 4);
    }
    cache.invalidateFile(1);
    List<Integer> byOthers = new ArrayList<>();
    int carried =
        rewrite.carry(
            (fileId, offset, lengthBytes) -> {
              byOthers.add(rewrite.carry(RewriteTest::output)); // As another thread would.
              return block(fileId, offset);
            });

    assertThat(carried).isEqualTo(1);
    assertThat(byOthers).containsExactly(0);
  }

  /** What one of them could not read is room for the next block again. */
  @Test
  void shouldGiveTheRoomBackOfABlockThatCannotBeRead() {
    for (int reads = 0; reads < 4; reads++) {
      read(1, 0);
    }
    Rewrite rewrite = cache.rewrite();
    copy(rewrite, 1, 2, 0);
    rewrite.wrote(3, 0, BLOCK, 4);
    cache.invalidateFile(1);
    List<Long> asked = new ArrayList<>();
    int carried =
        rewrite.carry(
            (fileId, offset, lengthBytes) -> {
              asked.add(fileId);
              return asked.size() == 1 ? null : block(fileId, offset);
            });

    assertThat(carried).isEqualTo(1);
    assertThat(asked).containsExactlyInAnyOrder(2L, 3L);
  }

  @Test
  void shouldPassOnWhatTheStoreThrows() {
    Rewrite rewrite = rewriteOfOneHotBlock();
    IllegalStateException broken = new IllegalStateException("the store is broken");

    assertThatThrownBy(
            () ->
                rewrite.carry(
                    (fileId, offset, lengthBytes) -> {
                      throw broken;
                    }))
        .isSameAs(broken);
    assertThat(read(2, 0)).isFalse();
  }

  @Test
  void shouldRefuseABlockOfAnotherLength() {
    Rewrite rewrite = rewriteOfOneHotBlock();

    assertThatThrownBy(() -> rewrite.carry((fileId, offset, lengthBytes) -> ByteBuffer.allocate(7)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldEndWhenItIsInterrupted() {
    Rewrite rewrite = rewriteOfOneHotBlock();
    Thread.currentThread().interrupt();

    assertThat(rewrite.carry(RewriteTest::output)).isZero();
    assertThat(Thread.interrupted()).as("is left to the caller").isTrue();
  }

  @Test
  void shouldWriteNothingWithoutBudget() {
    Rewrite rewrite = rewriteOfOneHotBlock();
    cache.control().settings().setOverheadTarget(0);

    assertThat(rewrite.carry(RewriteTest::output)).isZero();
    assertThat(ledger().get("carried.bypassed_overhead")).isPositive();
  }

  /** The medium is busy, say: the store is not read again for each try. */
  @Test
  void shouldReadABlockOnceHoweverOftenItIsOffered() {
    CacheControl control = cache.control();
    Rewrite rewrite = rewriteOfOneHotBlock();
    cache.invalidateFile(1);
    control
        .settings()
        .setWriteLimitBytesPerSecond(BLOCK / 2); // Bytes a second: one block each two seconds.
    cache.offer(9, 0, block(9, 0), Source.READ);
    List<Long> asked = new ArrayList<>();
    rewrite.carry(
        (fileId, offset, lengthBytes) -> {
          asked.add(offset);
          return block(fileId, offset);
        });

    assertThat(control.ledger().stats().offers(OfferResult.BYPASSED_WRITE_LIMIT)).isPositive();
    assertThat(asked).hasSize(1);
    assertThat(ledger()).containsEntry("carried.bypassed_write_limit", 1L);
  }

  @Test
  void shouldGiveTheRoomBackOfABlockThatLookupsHadCached() {
    readTimes(2, 12); // By far the hotter ones: estimates of heat are off by one at times.
    Rewrite rewrite = cache.rewrite();
    copy(rewrite, 1, 2, 0);
    copy(rewrite, 1, 2, 1);
    rewrite.wrote(3, 0, BLOCK, 2); // Colder, with room for one of these two.
    rewrite.wrote(3, BLOCK, BLOCK, 2);
    cache.invalidateFile(1);
    while (!read(2, 0)) {
      read(2, 0);
    }

    assertThat(rewrite.carry(RewriteTest::output)).isEqualTo(2);
    assertThat(read(2, 1)).isTrue();
    assertThat(ledger())
        .containsEntry("carried.already_cached", 1L)
        .containsEntry("carried.no_room", 1L);
  }

  @Test
  void shouldCacheWhatIsKeptAheadOfTheCommit() {
    readTimes(4, 4);
    Rewrite rewrite = copyOf(4);
    List<Long> asked = new ArrayList<>();
    int ahead =
        rewrite.carryAhead(
            (fileId, offset, lengthBytes) -> {
              asked.add(offset);
              return asked.size() < 3 ? block(fileId, offset) : null;
            });
    assertThat(ahead).isEqualTo(2);
    assertThat(asked).as("until one is not kept").hasSize(3);
    for (int number = 0; number < 4; number++) {
      assertThat(read(1, number)).as("an input, which is served on").isTrue();
    }

    cache.invalidateFile(1);
    assertThat(rewrite.carry(RewriteTest::output)).isEqualTo(2);
    for (int number = 0; number < 4; number++) {
      assertThat(read(2, number)).isTrue();
    }
    assertThat(ledger()).containsEntry("carried.admitted", 4L);
    assertThat(carriedInAll()).as("counted once each").isEqualTo(4);
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  private long carriedInAll() {
    return ledger().entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("carried."))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Test
  void shouldLeaveToLaterWhatIsNotTakenAhead() {
    CacheControl control = cache.control();
    double target = control.settings().overheadTarget();
    Rewrite rewrite = rewriteOfOneHotBlock();
    control.settings().setOverheadTarget(0);
    assertThat(rewrite.carryAhead(RewriteTest::output)).isZero();
    assertThat(carriedInAll()).isZero();

    control.settings().setOverheadTarget(target);
    cache.invalidateFile(1);
    assertThat(rewrite.carry(RewriteTest::output)).isEqualTo(1);
    assertThat(read(2, 0)).isTrue();
  }

  @Test
  void shouldOfferAgainWhatTheReaderThrewOnAheadOfTheCommit() {
    Rewrite rewrite = rewriteOfOneHotBlock();
    assertThatThrownBy(
            () ->
                rewrite.carryAhead(
                    (fileId, offset, lengthBytes) -> {
                      throw new IllegalStateException("out of memory");
                    }))
        .hasMessage("out of memory");
    cache.invalidateFile(1);
    assertThat(rewrite.carry(RewriteTest::output)).isEqualTo(1);
  }

  /** A commit that fails leaves no room reserved, and {@code carry} is never called. */
  @Test
  void shouldReserveNothingAheadOfTheCommit() {
    Told told = new Told();
    try (BlockCache other = builder().admission(context -> told).build()) {
      other.offer(1, 0, block(1, 0), Source.READ);
      Rewrite rewrite = other.rewrite();
      rewrite.read(1, 0);
      rewrite.wrote(2, 0, BLOCK, 9);
      assertThat(rewrite.carryAhead(RewriteTest::output)).isEqualTo(1);
    }
    assertThat(told.calls)
        .filteredOn(call -> call.startsWith("reserve"))
        .allMatch("reserve 2.0 0"::equals);
  }

  @Test
  void shouldCountWhatItDidNotAskFor() {
    readTimes(4, 4);
    Rewrite rewrite = copyOf(4);
    cache.invalidateFile(1);
    rewrite.carry((fileId, offset, lengthBytes) -> null);

    assertThat(ledger())
        .containsEntry("carried.unreadable", 1L)
        .containsEntry("carried.unasked", 3L);
  }

  @Test
  void shouldRefuseToNoteBlocksWhileItCarries() {
    readTimes(2, 4);
    Rewrite rewrite = copyOf(2);
    cache.invalidateFile(1);
    assertThatThrownBy(
            () ->
                rewrite.carry(
                    (fileId, offset, lengthBytes) -> {
                      rewrite.wrote(2, 7 * BLOCK, BLOCK);
                      return block(fileId, offset);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cache.rewrite()");
    assertThatThrownBy(() -> rewrite.read(1, 0)).isInstanceOf(IllegalStateException.class);
    assertThat(rewrite.carry(RewriteTest::output)).as("what was left is dropped").isZero();
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  /** A file four times as large as the cache is rewritten; its blocks are skewed by rank. */
  @Test
  void shouldKeepTheHotBlocksOfARewrittenFile() {
    long seed = System.nanoTime();
    Run carried = new Run(cache, seed, true);
    try (BlockCache other = newCache()) {
      Run dropped = new Run(other, seed, false);
      assertThat(carried.lost)
          .as("hits lost of %s; seed %s", dropped.lost, seed)
          .isLessThan(dropped.lost / 2);
    }
  }

  /** Reads one file, rewrites it block by block, and reads the other. */
  private static final class Run {
    private static final int BLOCKS = 4 * CAPACITY_BLOCKS;
    private static final double SKEW = 0.99;
    private static final int LOOKUPS_BEFORE = 40 * CAPACITY_BLOCKS;
    private static final int LOOKUPS_AROUND = 2 * CAPACITY_BLOCKS;

    private final BlockCache cache;
    private final Random random;
    private final List<Integer> byRank;
    private final ZipfRanks ranks = new ZipfRanks(BLOCKS, SKEW);

    /** The hits that the lookups after the rewrite had less than as many before it. */
    final int lost;

    Run(BlockCache cache, long seed, boolean carries) {
      this.cache = cache;
      this.random = new Random(seed);
      this.byRank = IntStream.range(0, BLOCKS).boxed().collect(Collectors.toList());
      Collections.shuffle(byRank, random);
      hits(1, LOOKUPS_BEFORE);
      int before = hits(1, LOOKUPS_AROUND);
      rewrite(carries);
      this.lost = before - hits(2, LOOKUPS_AROUND);
    }

    private int hits(long fileId, int lookups) {
      int hits = 0;
      for (int i = 0; i < lookups; i++) {
        hits += lookUp(fileId) ? 1 : 0;
      }
      return hits;
    }

    private void rewrite(boolean carries) {
      Rewrite rewrite = cache.rewrite();
      for (int number = 0; number < BLOCKS; number++) {
        copy(rewrite, 1, 2, number);
      }
      cache.invalidateFile(1);
      cache.control().maintain();
      if (carries) {
        rewrite.carry(RewriteTest::output);
      }
    }

    private boolean lookUp(long fileId) {
      int number = byRank.get(ranks.draw(random));
      long offset = (long) number * BLOCK;
      if (cache.get(fileId, offset, ByteBuffer.allocate(BLOCK)) == BLOCK) {
        return true;
      }
      cache.offer(fileId, offset, block(fileId, offset), Source.READ);
      return false;
    }
  }
}
