// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.control.RestoreLoss;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Discards of dead regions, on a disk that scribbles over what it is to forget: never where a block
 * lives, at the rate that was asked for, and no restart brings them back.
 */
@Timeout(120)
final class DiscardTest {
  private static final int CAPACITY = 4 << 20;
  private static final int PAGE = 4096;
  private static final int LENGTH = 4000;
  private static final int REGION = 64 << 10;
  private static final int SUPERBLOCKS = 8 << 10;
  private static final int HEADER = 4 << 10;
  private static final int BLOCKS = 300;
  private static final long UNLIMITED = Long.MAX_VALUE;

  private final CrashDisk disk = new CrashDisk(CAPACITY);

  private static BlockCacheBuilder builder(CrashDisk disk) {
    return WarmRestartTest.builder(disk).discardBytesPerSecond(UNLIMITED);
  }

  private static void fill(BlockCache cache, long file, int blocks) {
    cache.identify(file, identity(file));
    for (int block = 0; block < blocks; block++) {
      assertThat(offer(cache, file, block)).isEqualTo(OfferResult.ADMITTED);
    }
  }

  private static OfferResult offer(BlockCache cache, long file, int block) {
    long offset = (long) block * PAGE;
    return cache.offer(file, offset, TestBlock.of(file, offset, LENGTH), Source.READ);
  }

  private static FileIdentity identity(long file) {
    return FileIdentity.of("test", Long.toString(file));
  }

  private static int hits(BlockCache cache, long file, int blocks) {
    int hits = 0;
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    for (int block = 0; block < blocks; block++) {
      long offset = (long) block * PAGE;
      if (cache.get(file, offset, dst.clear()) != BlockCache.MISS) {
        TestBlock.assertMatches(dst.flip(), file, offset, LENGTH);
        hits++;
      }
    }
    return hits;
  }

  /** Once to reclaim the blocks, once to find their regions dead. */
  private static void maintain(BlockCache cache) {
    cache.control().maintain();
    cache.control().maintain();
  }

  private static void assertSound(BlockCache cache) {
    assertThat(cache.control().health().checksumFailures()).isZero();
    assertThat(cache.control().health().indexFaults()).isZero();
    assertThat(cache.control().ledger().contradictions()).isEmpty();
    assertThat(cache.stats().mediumFailures()).isZero();
    assertThat(cache.control().health().inService()).isTrue();
  }

  @Test
  void shouldDiscardTheRegionsOfAFileThatIsGone() {
    try (BlockCache cache = builder(disk).build()) {
      fill(cache, 7, BLOCKS);
      fill(cache, 8, BLOCKS);
      maintain(cache);
      assertThat(disk.discards()).isEmpty();
      long written = cache.stats().deviceWrittenBytes();

      cache.invalidateFile(7);
      maintain(cache);

      int perRegion = REGION / PAGE - 1;
      assertThat(disk.discards()).hasSizeBetween(BLOCKS / perRegion - 2, BLOCKS / perRegion + 1);
      assertThat(disk.discards()).doesNotHaveDuplicates();
      for (CrashDisk.Discard discard : disk.discards()) {
        assertThat(discard.offset() % REGION).isEqualTo(SUPERBLOCKS + HEADER);
        assertThat(discard.length()).isEqualTo(REGION - HEADER);
      }
      long regions = disk.discards().size();
      assertThat(cache.stats().discardedRegions()).isEqualTo(regions);
      assertThat(cache.stats().discardedBytes()).isEqualTo(regions * (REGION - HEADER));
      assertThat(cache.stats().discardFailures()).isZero();
      assertThat(cache.stats().deviceWrittenBytes() - written).isEqualTo(regions * HEADER);
      assertThat(cache.control().ledger().entries())
          .containsEntry("bytes.discarded", regions * (REGION - HEADER))
          .containsEntry("failure.discard", 0L);
      assertThat(hits(cache, 8, BLOCKS)).isEqualTo(BLOCKS);
      assertSound(cache);
    }
  }

  @Test
  void shouldDiscardNothing_UnlessAsked() {
    try (BlockCache cache = WarmRestartTest.builder(disk).build()) {
      fill(cache, 7, BLOCKS);
      cache.invalidateFile(7);
      maintain(cache);
      assertThat(disk.discards()).isEmpty();
    }
  }

  /** What is about to be overwritten need not be forgotten first. */
  @Test
  void shouldDiscardNothing_WhereRegionsAreReclaimedToBeFilled() {
    try (BlockCache cache = builder(disk).build()) {
      for (int round = 0; round < 4; round++) {
        fill(cache, round, CAPACITY / PAGE);
        cache.control().maintain();
      }
      assertThat(cache.stats().evictions()).isPositive();
      assertThat(disk.discards()).isEmpty();
    }
  }

  @Test
  void shouldFillDiscardedRegionsAgain() {
    try (BlockCache cache = builder(disk).build()) {
      for (int round = 0; round < 5; round++) {
        fill(cache, round, 2 * BLOCKS);
        assertThat(hits(cache, round, 2 * BLOCKS)).isEqualTo(2 * BLOCKS);
        cache.invalidateFile(round);
        maintain(cache);
        assertThat(cache.stats().usedBytes()).isZero();
      }
      assertThat(disk.discards()).hasSizeGreaterThan(5 * BLOCKS / (REGION / PAGE));
      assertSound(cache);
    }
  }

  /** Random files come and go: a block that lives is never scribbled over. */
  @Test
  void shouldNeverDiscardABlockThatLives() {
    long seed = 31;
    SplittableRandom random = new SplittableRandom(seed);
    int[] blocks = new int[12];
    long firstId = 0;
    try (BlockCache cache = builder(disk).build()) {
      for (int step = 0; step < 400; step++) {
        int file = random.nextInt(blocks.length);
        if (random.nextInt(3) == 0) {
          cache.invalidateFile(firstId + file);
          blocks[file] = 0;
        } else if (blocks[file] < 60) {
          int more = 1 + random.nextInt(20);
          for (int i = 0; i < more; i++) {
            offer(cache, firstId + file, blocks[file]++);
          }
        }
        if (random.nextInt(50) == 0) {
          for (int i = 0; i < blocks.length; i++) {
            cache.invalidateFile(firstId + i);
            blocks[i] = 0;
          }
          firstId += blocks.length;
        }
        if (random.nextInt(4) == 0) {
          cache.control().maintain();
        }
        int read = random.nextInt(blocks.length);
        assertThat(hits(cache, firstId + read, blocks[read]))
            .as("seed %d, step %d", seed, step)
            .isEqualTo(blocks[read]);
      }
      assertThat(disk.discards()).hasSizeGreaterThan(20);
      assertSound(cache);
    }
  }

  @Test
  void shouldKeepToItsRate() {
    AtomicLong nanos = new AtomicLong();
    try (BlockCache cache =
        builder(disk)
            .testing(TestHook.nanoTime(nanos::get))
            .discardBytesPerSecond(REGION / 4)
            .build()) {
      fill(cache, 7, BLOCKS);
      cache.invalidateFile(7);
      for (int second = 0; second < 40; second++) {
        maintain(cache);
        assertThat(disk.discards().size()).as("second %d", second).isEqualTo(1 + second / 4);
        nanos.addAndGet(1_000_000_000);
      }
    }
  }

  @Test
  void shouldDiscardOnItsOwnThreadAlone() {
    try (BlockCache cache =
        BlockCache.builder()
            .medium(disk)
            .maxBlockBytes(PAGE)
            .expectedBlockBytes(PAGE)
            .policies(PolicyPreset.ADMIT_ALL)
            .discardBytesPerSecond(UNLIMITED)
            .build()) {
      cache.identify(7, identity(7));
      for (int block = 0; block < BLOCKS; block++) {
        offer(cache, 7, block);
      }
      while (cache.stats().deviceWrittenBytes() < 2L * REGION) {
        Thread.onSpinWait(); // The thread that writes has to get to it.
      }
      // Dead regions are looked for when less is used than in a round before. While the thread that
      // writes is in a round that it began earlier, none begins here.
      for (int round = 0; round < 100; round++) {
        cache.control().maintain();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      }
      cache.invalidateFile(7);
      while (cache.stats().discardedRegions() == 0) {
        Thread.onSpinWait();
      }
      assertThat(disk.discards())
          .allSatisfy(discard -> assertThat(discard.thread()).startsWith("nvcache-regions"));
    }
  }

  /** Where the owner maintains the cache, offers make room themselves, and discard nothing. */
  @Test
  void shouldNotDiscardInCallsOfTheOwner() {
    AtomicLong nanos = new AtomicLong();
    try (BlockCache cache =
        builder(disk)
            .testing(TestHook.nanoTime(nanos::get))
            .discardBytesPerSecond(REGION)
            .build()) {
      fill(cache, 7, BLOCKS);
      cache.invalidateFile(7);
      maintain(cache);
      assertThat(disk.discards()).as("what a second allows").hasSize(1);
      nanos.addAndGet(60_000_000_000L);
      fill(cache, 8, BLOCKS);
      assertThat(disk.discards()).hasSize(1);
      cache.control().maintain();
      assertThat(disk.discards()).hasSize(2);
      assertThat(hits(cache, 8, BLOCKS)).isEqualTo(BLOCKS);
    }
  }

  @Test
  void shouldRestoreNothingOfADiscardedRegion() {
    byte[] killed;
    try (BlockCache cache = builder(disk).build()) {
      fill(cache, 7, BLOCKS);
      fill(cache, 8, BLOCKS);
      maintain(cache);
      cache.invalidateFile(7);
      maintain(cache);
      killed = disk.afterKill();
    }
    int discarded = disk.discards().size();
    assertThat(discarded).isPositive();
    for (byte[] image : List.of(killed, disk.afterKill())) {
      CrashDisk next = new CrashDisk(image);
      try (BlockCache cache = builder(next).build()) {
        maintain(cache);
        cache.identify(7, identity(7));
        cache.identify(8, identity(8));
        assertThat(hits(cache, 7, BLOCKS)).isLessThan(2 * REGION / PAGE);
        assertThat(hits(cache, 8, BLOCKS)).isGreaterThan(BLOCKS - 2 * REGION / PAGE);
        assertThat(cache.control().restore().lostRegions())
            .hasEntrySatisfying(
                RestoreLoss.BLANK,
                blank -> assertThat(blank).isGreaterThanOrEqualTo((long) discarded));
        assertThat(next.discards()).as("what is blank").isEmpty();
        assertSound(cache);
      }
    }
  }

  /** Even to who names the file again: a header and a footer without their blocks would. */
  @Test
  void shouldRestoreNothingOfIt_WhereverPowerIsLost() {
    SplittableRandom random = new SplittableRandom(32);
    List<byte[]> images = new ArrayList<>();
    try (BlockCache cache = builder(disk).build()) {
      fill(cache, 7, BLOCKS);
      fill(cache, 8, BLOCKS);
      maintain(cache);
      cache.invalidateFile(7);
      disk.observedBy(() -> images.add(disk.afterPowerLoss(random)));
      maintain(cache);
      disk.observedBy(() -> {});
    }
    assertThat(images).hasSizeGreaterThan(2 * disk.discards().size());
    for (byte[] image : images) {
      try (BlockCache cache = builder(new CrashDisk(image)).build()) {
        cache.control().maintain();
        cache.identify(7, identity(7));
        cache.identify(8, identity(8));
        hits(cache, 7, BLOCKS);
        assertThat(hits(cache, 8, BLOCKS)).isGreaterThan(BLOCKS - 2 * REGION / PAGE);
        assertThat(cache.control().health().checksumFailures()).isZero();
      }
    }
  }

  /** The ends of its footers say that they were written. */
  @Test
  void shouldDiscardWhatAnEarlierCacheLeftDead() {
    try (BlockCache cache = builder(disk).discardBytesPerSecond(0).build()) {
      fill(cache, 7, BLOCKS);
      fill(cache, 8, BLOCKS);
      cache.invalidateFile(7);
      maintain(cache);
      fill(cache, 9, 20); // A superblock says which regions are free.
      maintain(cache);
    }
    byte[] image = disk.afterKill();
    CrashDisk next = new CrashDisk(image);
    try (BlockCache cache = builder(next).build()) {
      maintain(cache);
      assertThat(next.discards()).isNotEmpty();
      assertThat(next.discards())
          .as("regions with blocks of an earlier cache, and none that was never filled")
          .allMatch(discard -> image[(int) discard.offset() - HEADER] != 0);
      cache.identify(8, identity(8));
      assertThat(hits(cache, 8, BLOCKS)).isGreaterThan(BLOCKS / 2);
      assertSound(cache);
    }
  }

  @Test
  void shouldEndDiscardsAtTheFirstFailureAndNothingElse() {
    disk.failDiscards();
    try (BlockCache cache = builder(disk).build()) {
      for (int round = 0; round < 3; round++) {
        fill(cache, round, 2 * BLOCKS);
        cache.invalidateFile(round);
        maintain(cache);
      }
      assertThat(disk.discards()).hasSize(1);
      assertThat(cache.stats().discardFailures()).isOne();
      assertThat(cache.stats().discardedRegions()).isZero();
      fill(cache, 9, 2 * BLOCKS);
      assertThat(hits(cache, 9, 2 * BLOCKS)).isEqualTo(2 * BLOCKS);
      assertSound(cache);
    }
  }

  @Test
  void shouldNotDiscardARegionWhoseHeaderStays() {
    AtomicBoolean failing = new AtomicBoolean();
    disk.observedBy(
        () -> {
          if (failing.get()) {
            throw new IllegalStateException("injected");
          }
        });
    try (BlockCache cache = builder(disk).build()) {
      fill(cache, 7, BLOCKS);
      cache.control().maintain();
      cache.invalidateFile(7);
      failing.set(true);
      maintain(cache);
      failing.set(false);
      assertThat(cache.stats().discardFailures()).isOne();
      maintain(cache);
      assertThat(disk.discards()).isEmpty();
      assertThat(cache.stats().discardFailures()).isOne();
      fill(cache, 8, 2 * BLOCKS);
      assertThat(hits(cache, 8, 2 * BLOCKS)).isEqualTo(2 * BLOCKS);
      assertSound(cache);
    }
  }

  @Test
  void shouldRefuseWhereNothingCanBeDiscarded() {
    assertThatThrownBy(() -> BlockCache.builder().discardBytesPerSecond(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("discardBytesPerSecond is -1");
    assertThatThrownBy(
            () -> BlockCache.builder().nativeMemory(1 << 20).discardBytesPerSecond(5).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("discardBytesPerSecond is 5, and native memory")
        .hasMessageContaining("place them in regions, or set it to 0");
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(CAPACITY));
    assertThatThrownBy(
            () ->
                BlockCache.builder()
                    .medium(medium)
                    .placement(BlockPlacement.REGIONS)
                    .maxBlockBytes(PAGE)
                    .expectedBlockBytes(PAGE)
                    .discardBytesPerSecond(5)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no way to discard; use flash; or set it to 0");
    assertThat(medium.closed.get()).isOne();
  }
}
