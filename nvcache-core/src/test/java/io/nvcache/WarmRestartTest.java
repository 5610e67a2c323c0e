// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.RestoreLoss;
import io.nvcache.control.RestoreReport;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.NativeMedium;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a cache finds of what an earlier one left on its medium. */
@Timeout(60)
final class WarmRestartTest {
  private static final int CAPACITY = 4 << 20;
  private static final int PAGE = 4096;
  private static final int LENGTH = 4000;
  private static final int BLOCKS = 300;
  private static final int LONG_BLOCK = 64 << 10;

  /** What a file is known by in tests: its bytes are those of the number. */
  private static FileIdentity identity(long bytesOf) {
    return FileIdentity.of("test", Long.toString(bytesOf));
  }

  static BlockCacheBuilder builder(CrashDisk disk) {
    return BlockCache.builder()
        .medium(disk)
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE / 4) // So that no bucket of the index is ever full.
        .maintainedByCaller()
        .maxMediumFailures(Integer.MAX_VALUE)
        .admission(AdmissionPresets.admitAll());
  }

  private static BlockCache open(CrashDisk disk) {
    return builder(disk).build();
  }

  private static OfferResult offer(BlockCache cache, long fileId, long bytesOf, int block) {
    long offset = (long) block * PAGE;
    return cache.offer(fileId, offset, TestBlock.of(bytesOf, offset, LENGTH), Source.READ);
  }

  private static int fill(BlockCache cache, long fileId, long bytesOf, int blocks) {
    int admitted = 0;
    for (int block = 0; block < blocks; block++) {
      admitted += offer(cache, fileId, bytesOf, block) == OfferResult.ADMITTED ? 1 : 0;
    }
    return admitted;
  }

  private static boolean hits(BlockCache cache, long fileId, long bytesOf, int block) {
    long offset = (long) block * PAGE;
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    boolean hit = cache.get(fileId, offset, dst) != BlockCache.MISS;
    if (hit) {
      TestBlock.assertMatches(dst.flip(), bytesOf, offset, LENGTH);
    }
    return hit;
  }

  private static int countHits(BlockCache cache, long fileId, long bytesOf, int blocks) {
    int hits = 0;
    for (int block = 0; block < blocks; block++) {
      hits += hits(cache, fileId, bytesOf, block) ? 1 : 0;
    }
    return hits;
  }

  private static void assertBooksBalance(BlockCache cache) {
    assertThat(cache.control().ledger().contradictions()).isEmpty();
    assertThat(cache.control().health().indexFaults()).isZero();
  }

  /** A disk on which a cache was closed that had blocks of file 7. */
  private static CrashDisk closed() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = open(disk)) {
      cache.identify(7, identity(7));
      assertThat(fill(cache, 7, 7, BLOCKS)).isEqualTo(BLOCKS);
    }
    return new CrashDisk(disk.afterKill());
  }

  /** A snapshot of the owners takes twelve bytes for each number that was ever given. */
  @Test
  void shouldWalkOverUnnamedBlocksWithoutAskingForTheirOwnersEachTime() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (BlockCache cache = open(closed())) {
      cache.control().maintain();
      assertThat(cache.control().walk().next()).isFalse();
      long before = threads.getCurrentThreadAllocatedBytes();
      assertThat(cache.control().walk().next()).isFalse();
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(allocated).isLessThan(BLOCKS * 6L * 1024);
    }
  }

  @Test
  void shouldFindAllBlocksAfterACleanStop() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      assertThat(cache.control().restore().state()).isEqualTo(State.RESTORING);
      cache.control().maintain();
      cache.identify(3, identity(7));
      assertThat(countHits(cache, 3, 7, BLOCKS)).isEqualTo(BLOCKS);
      RestoreReport report = cache.control().restore();
      assertThat(report.state()).isEqualTo(State.RESTORED);
      assertThat(report.restoredBlocks()).isEqualTo(BLOCKS);
      assertThat(report.restoredBytes()).isEqualTo((long) BLOCKS * LENGTH);
      assertThat(report.lostBlocks()).isEmpty();
      assertThat(report.toString()).contains("restored " + BLOCKS + " blocks");
      assertThat(cache.stats().restoredBlocks()).isEqualTo(BLOCKS);
      assertThat(cache.stats().blocks()).isEqualTo(BLOCKS);
      assertBooksBalance(cache);
      assertThat(cache.control().health().checksumFailures()).isZero();
    }
  }

  /** With blocks of up to 1/64 of the capacity, as in the hosts. */
  @ParameterizedTest
  @ValueSource(ints = {9 << 20, 17 << 20, 24 << 20, 31 << 20})
  void shouldFindTheBlocksOfASmallMediumThatIsNoPowerOfTwo(int capacityBytes) {
    CrashDisk disk = new CrashDisk(capacityBytes);
    long cached;
    byte[] killed;
    try (BlockCache cache = openForLongBlocks(disk)) {
      cache.identify(7, identity(7));
      for (int block = 0; block < capacityBytes / LONG_BLOCK; block++) {
        long offset = (long) block * LONG_BLOCK;
        cache.offer(7, offset, TestBlock.of(7, offset, LONG_BLOCK), Source.READ);
        cache.control().maintain();
      }
      cached = cache.stats().blocks();
      assertThat(cached).isGreaterThan(capacityBytes / LONG_BLOCK / 2);
      killed = disk.afterKill();
    }
    try (BlockCache closed = openForLongBlocks(new CrashDisk(disk.afterKill()))) {
      closed.control().maintain();
      // The index hashes with another seed: a block may find both its buckets full.
      assertThat(closed.stats().blocks()).isBetween(cached - 5, cached);
    }
    try (BlockCache after = openForLongBlocks(new CrashDisk(killed))) {
      after.control().maintain();
      long perRegion = capacityBytes / 16 / LONG_BLOCK; // At most.
      assertThat(after.stats().blocks()).isGreaterThanOrEqualTo(cached - 2 * perRegion);
      assertBooksBalance(after);
    }
  }

  private static BlockCache openForLongBlocks(CrashDisk disk) {
    return builder(disk)
        .maxBlockBytes((int) (disk.capacityBytes() / 64))
        .expectedBlockBytes(LONG_BLOCK)
        .build();
  }

  @Test
  void shouldFindThemToo_WhenTheFileIsNamedBeforeTheyAreRestored() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      cache.identify(3, identity(7));
      assertThat(countHits(cache, 3, 7, BLOCKS)).isZero();
      cache.control().maintain();
      assertThat(countHits(cache, 3, 7, BLOCKS)).isEqualTo(BLOCKS);
      assertBooksBalance(cache);
    }
  }

  @Test
  void shouldFindAllButTheOpenRegionAfterAKill() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    byte[] image;
    try (BlockCache cache = open(disk)) {
      cache.identify(7, identity(7));
      fill(cache, 7, 7, BLOCKS);
      cache.control().maintain();
      image = disk.afterKill();
    }
    try (BlockCache cache = open(new CrashDisk(image))) {
      cache.control().maintain();
      cache.identify(3, identity(7));
      int perRegion = 64 / 4 - 1;
      assertThat(countHits(cache, 3, 7, BLOCKS)).isBetween(BLOCKS - 2 * perRegion, BLOCKS - 1);
      assertBooksBalance(cache);
    }
  }

  @Test
  void shouldRestoreAgainWhatWasRestored() {
    CrashDisk disk = closed();
    for (int restart = 0; restart < 5; restart++) {
      try (BlockCache cache = open(disk)) {
        cache.control().maintain();
        cache.identify(restart, identity(7));
        cache.identify(100 + restart, identity(100 + restart));
        assertThat(countHits(cache, restart, 7, BLOCKS)).isEqualTo(BLOCKS);
        assertThat(fill(cache, 100 + restart, 100 + restart, 20)).isEqualTo(20);
        assertBooksBalance(cache);
      }
      disk = new CrashDisk(disk.afterKill());
    }
    try (BlockCache cache = open(disk)) {
      cache.control().maintain();
      for (int restart = 0; restart < 5; restart++) {
        cache.identify(restart, identity(100 + restart));
        assertThat(countHits(cache, restart, 100 + restart, 20)).isEqualTo(20);
      }
    }
  }

  @Test
  void shouldServeAndOverwriteRestoredRegionsOnAFullMedium() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      cache.control().maintain();
      cache.identify(3, identity(7));
      cache.identify(4, identity(8));
      for (int round = 0; round < 3; round++) {
        fill(cache, 4, 8, 5 * BLOCKS);
        cache.control().maintain();
      }
      assertThat(countHits(cache, 3, 7, BLOCKS)).isLessThan(BLOCKS);
      assertThat(countHits(cache, 4, 8, 5 * BLOCKS)).isGreaterThan(BLOCKS);
      assertThat(cache.control().health().checksumFailures()).isZero();
      assertBooksBalance(cache);
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(4, identity(8));
      assertThat(countHits(cache, 4, 8, 5 * BLOCKS)).isGreaterThan(BLOCKS);
      assertThat(cache.control().health().checksumFailures()).isZero();
      assertBooksBalance(cache);
    }
  }

  @Test
  void shouldNotRestoreAFileWithoutAnIdentity() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = open(disk)) {
      fill(cache, 7, 7, BLOCKS);
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(7, identity(7));
      assertThat(countHits(cache, 7, 7, BLOCKS)).isZero();
      assertThat(cache.control().restore().restoredBlocks()).isZero();
    }
  }

  /** DROP and CREATE: the same id, and the same name if it had one, but not the same bytes. */
  @Test
  void shouldNeverAnswerForARecreatedFile() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      cache.control().maintain();
      cache.identify(7, identity(8));
      assertThat(countHits(cache, 7, 8, BLOCKS)).isZero();
      fill(cache, 7, 8, BLOCKS);
      assertThat(countHits(cache, 7, 8, BLOCKS)).isEqualTo(BLOCKS);
    }
  }

  @Test
  void shouldForgetWhatWasInvalidatedBlockByBlock() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = open(disk)) {
      cache.identify(7, identity(7));
      cache.identify(8, identity(8));
      fill(cache, 7, 7, BLOCKS);
      fill(cache, 8, 8, BLOCKS);
      assertThat(cache.invalidate(7, 0)).isTrue();
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(7, identity(7));
      cache.identify(8, identity(8));
      assertThat(countHits(cache, 7, 7, BLOCKS)).isZero();
      assertThat(countHits(cache, 8, 8, BLOCKS)).isEqualTo(BLOCKS);
      assertThat(cache.control().restore().lostBlocks()).containsKey(RestoreLoss.INVALIDATED);
    }
  }

  /** After a kill, too: the revocation is written when the call returns. */
  @Test
  void shouldForgetItAfterAKill() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    byte[] image;
    try (BlockCache cache = open(disk)) {
      cache.identify(7, identity(7));
      fill(cache, 7, 7, BLOCKS);
      cache.invalidate(7, 0);
      image = disk.afterKill();
    }
    try (BlockCache cache = open(new CrashDisk(image))) {
      cache.control().maintain();
      cache.identify(7, identity(7));
      assertThat(countHits(cache, 7, 7, BLOCKS)).isZero();
    }
  }

  @Test
  void shouldForgetMoreFilesThanTheSuperblockCanName() {
    int files = 200;
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = open(disk)) {
      for (int file = 0; file < files; file++) {
        cache.identify(file, identity(file));
        fill(cache, file, file, 2);
      }
      for (int file = 0; file < files - 1; file++) {
        cache.invalidate(file, 0);
      }
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      for (int file = 0; file < files - 1; file++) {
        cache.identify(file, identity(file));
        assertThat(countHits(cache, file, file, 2)).as("file %d", file).isZero();
      }
    }
  }

  @Test
  void shouldNotRestoreAFileThatIsInvalidatedMeanwhile() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      cache.identify(3, identity(7));
      cache.invalidateFile(3);
      cache.control().maintain();
      cache.identify(4, identity(7));
      assertThat(countHits(cache, 4, 7, BLOCKS)).isZero();
      assertBooksBalance(cache);
    }
  }

  @Test
  void shouldLeaveANewerOfferInItsPlace() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      cache.identify(3, identity(7));
      while (offer(cache, 3, 7, 5) == OfferResult.NO_SPACE) {
        // The log begins when it is known which regions are free.
      }
      cache.control().maintain();
      assertThat(countHits(cache, 3, 7, BLOCKS)).isEqualTo(BLOCKS);
      assertThat(cache.control().restore().lostBlocks()).containsEntry(RestoreLoss.DUPLICATE, 1L);
      assertBooksBalance(cache);
    }
  }

  @Test
  void shouldReclaimBlocksOfAFileThatWasOfferedBeforeItWasNamed() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      cache.control().maintain();
      offer(cache, 3, 7, BLOCKS + 1);
      cache.identify(3, identity(7));
      cache.control().maintain();
      assertThat(countHits(cache, 3, 7, BLOCKS + 2)).isOne();
      assertThat(cache.stats().blocks()).isOne();
      assertBooksBalance(cache);
    }
  }

  @Test
  void shouldPassTheBlocksOfAFileToItsNextId() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = open(disk)) {
      cache.identify(3, identity(7));
      fill(cache, 3, 7, BLOCKS);
      cache.identify(4, identity(7));
      assertThat(countHits(cache, 4, 7, BLOCKS)).isEqualTo(BLOCKS);
      assertThat(countHits(cache, 3, 7, BLOCKS)).isZero();
      assertBooksBalance(cache);
      cache.invalidateFile(3);
      assertThat(countHits(cache, 4, 7, BLOCKS)).isEqualTo(BLOCKS);
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(5, identity(7));
      assertThat(countHits(cache, 5, 7, BLOCKS)).isEqualTo(BLOCKS);
    }
  }

  @Test
  void shouldRefuseASecondIdentityOfAFile() {
    try (BlockCache cache = open(new CrashDisk(CAPACITY))) {
      cache.identify(3, identity(7));
      cache.identify(3, identity(7));
      assertThatThrownBy(() -> cache.identify(3, identity(8)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(identity(7).toString())
          .hasMessageContaining("its own id");
    }
  }

  @Test
  void shouldStartColdWhereItIsAskedTo_AndForget() {
    CrashDisk disk = closed();
    try (BlockCache cache = builder(disk).restart(Restart.COLD).build()) {
      cache.control().maintain();
      cache.identify(3, identity(7));
      assertThat(countHits(cache, 3, 7, BLOCKS)).isZero();
      assertThat(cache.control().restore()).isEqualTo(RestoreReport.NONE);
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(3, identity(7));
      assertThat(countHits(cache, 3, 7, BLOCKS)).isZero();
      assertThat(cache.control().restore().state()).isEqualTo(State.COLD);
      assertThat(cache.control().restore().reason()).contains("no superblock");
    }
  }

  @Test
  void shouldStartColdOnAnotherGeometry() {
    byte[] image = Arrays.copyOf(closed().afterKill(), CAPACITY + (1 << 20));
    try (BlockCache cache = open(new CrashDisk(image))) {
      cache.control().maintain();
      assertThat(cache.control().restore().reason())
          .contains("written as " + CAPACITY)
          .contains("is now " + (CAPACITY + (1 << 20)));
      cache.identify(3, identity(7));
      assertThat(countHits(cache, 3, 7, BLOCKS)).isZero();
      assertThat(fill(cache, 3, 7, BLOCKS)).isEqualTo(BLOCKS);
      assertThat(countHits(cache, 3, 7, BLOCKS)).isEqualTo(BLOCKS);
    }
  }

  @Test
  void shouldRefuseAWarmRestartThatCanNotBe() {
    assertThatThrownBy(
            () ->
                BlockCache.builder()
                    .medium(NativeMedium.allocate(CAPACITY))
                    .placement(BlockPlacement.REGIONS)
                    .maxBlockBytes(PAGE)
                    .restart(Restart.WARM)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("restart cold");
    assertThatThrownBy(
            () ->
                builder(new CrashDisk(CAPACITY))
                    .placement(BlockPlacement.IN_PLACE)
                    .restart(Restart.WARM)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("regions");
  }

  @Test
  void shouldBeginInTheBackgroundAtOnce() {
    CrashDisk disk = closed();
    try (BlockCache cache =
        BlockCache.builder()
            .medium(disk)
            .maxBlockBytes(PAGE)
            .expectedBlockBytes(PAGE / 4) // So that no bucket of the index is ever full.
            .admission(AdmissionPresets.admitAll())
            .build()) {
      cache.identify(3, identity(7));
      while (cache.control().restore().state() != State.RESTORED) {
        Thread.onSpinWait();
      }
      assertThat(countHits(cache, 3, 7, BLOCKS)).isEqualTo(BLOCKS);
    }
  }

  /** Few long blocks are expected, so that the index has few buckets. */
  private static BlockCacheBuilder ofFewBuckets(CrashDisk disk) {
    return BlockCache.builder()
        .medium(disk)
        .maxBlockBytes(1 << 16)
        .expectedBlockBytes(1 << 16)
        .admission(AdmissionPresets.admitAll());
  }

  private static void admit(BlockCache cache, long fileId, int block, int lengthBytes) {
    long offset = (long) block << 16;
    OfferResult result;
    do {
      result = cache.offer(fileId, offset, TestBlock.of(fileId, offset, lengthBytes), Source.READ);
    } while (result == OfferResult.MEDIUM_BUSY);
    assertThat(result).isEqualTo(OfferResult.ADMITTED);
  }

  /**
   * A policy is called inside the lock of the bucket that a block is entered into. There are 26
   * buckets or so, and 30 blocks in a region, so of three regions most have blocks in the one that
   * is locked as their footers are made. Now and then both buckets of a block are full: then the
   * first cache evicts one, and the second finds no slot for one that was listed.
   */
  @Test
  void shouldListEveryBlock_HoweverLongAPolicyHoldsItsBucket() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    BlockCacheBuilder slow =
        ofFewBuckets(disk)
            .eviction(
                context -> {
                  HookedEviction eviction = new HookedEviction(context);
                  eviction.hook = call -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
                  return eviction;
                });
    long blocks;
    try (BlockCache cache = slow.build()) {
      cache.identify(7, identity(7));
      for (int block = 0; block < 110; block++) {
        admit(cache, 7, block, 8000);
      }
      blocks = cache.stats().blocks();
      assertThat(blocks).isGreaterThan(100);
    }
    try (BlockCache cache =
        ofFewBuckets(new CrashDisk(disk.afterKill())).maintainedByCaller().build()) {
      cache.control().maintain();
      RestoreReport restore = cache.control().restore();
      long withoutSlot = restore.lostBlocks().getOrDefault(RestoreLoss.NO_SLOT, 0L);
      assertThat(restore.restoredBlocks() + withoutSlot)
          .as("%s", restore)
          .isBetween(blocks, 110L); // What was evicted may be listed, too.
    }
  }

  /** A footer has room for as many files as blocks. */
  @Test
  void shouldFindAllBlocks_WhenEachIsOfAFileOfItsOwn() {
    int length = 96;
    int files = 2_000;
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = builder(disk).expectedBlockBytes(64).build()) {
      for (int file = 0; file < files; file++) {
        cache.identify(file, identity(file));
        ByteBuffer block = TestBlock.of(file, 0, length);
        assertThat(cache.offer(file, 0, block, Source.READ)).isEqualTo(OfferResult.ADMITTED);
      }
    }
    CrashDisk killed = new CrashDisk(disk.afterKill());
    try (BlockCache cache = builder(killed).expectedBlockBytes(64).build()) {
      cache.control().maintain();
      assertThat(cache.control().restore().restoredBlocks()).isEqualTo(files);
    }
  }

  @Test
  void shouldForgetABlockThatIsInvalidatedWhileTheRegionsAreLookedAt() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      cache.identify(3, identity(7));
      cache.invalidate(3, 0);
      cache.control().maintain();
      cache.identify(8, identity(8));
      fill(cache, 8, 8, 20); // So that superblocks are written.
      cache.control().maintain();
    }
    disk = new CrashDisk(disk.afterKill());
    try (BlockCache cache = open(disk)) {
      cache.control().maintain();
      cache.identify(3, identity(7));
      cache.identify(8, identity(8));
      assertThat(hits(cache, 3, 7, 0)).isFalse();
      assertThat(countHits(cache, 8, 8, 20)).isEqualTo(20);
    }
  }

  @Test
  void shouldForgetItThoughTheCacheIsClosedBeforeTheyAreLookedAt() {
    CrashDisk disk = closed();
    try (BlockCache cache = open(disk)) {
      cache.identify(3, identity(7));
      cache.invalidate(3, 0);
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(3, identity(7));
      assertThat(hits(cache, 3, 7, 0)).isFalse();
    }
  }

  /** The earlier revocations stay when more come than find room. */
  @Test
  void shouldForgetAFileThoughManyBlocksOfAnotherAreInvalidated() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = open(disk)) {
      cache.identify(7, identity(7));
      cache.identify(8, identity(8));
      cache.identify(9, identity(9));
      fill(cache, 7, 7, BLOCKS);
      fill(cache, 8, 8, BLOCKS);
      assertThat(fill(cache, 9, 9, 20)).isEqualTo(20);
      cache.invalidate(7, 0);
      for (int block = 0; block < BLOCKS; block++) {
        cache.invalidate(8, (long) block * PAGE);
      }
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(7, identity(7));
      cache.identify(9, identity(9));
      assertThat(countHits(cache, 7, 7, BLOCKS)).isZero();
      assertThat(countHits(cache, 9, 9, 20)).as("one revocation for each file").isEqualTo(20);
    }
  }

  /** Its regions are free then, more of them than a superblock names, and still on the medium. */
  @Test
  void shouldForgetAFileWhoseRegionsAreFreeByNow() {
    int capacity = 16 << 20;
    int blocks = 2_000;
    CrashDisk disk = new CrashDisk(capacity);
    try (BlockCache cache = open(disk)) {
      cache.identify(7, identity(7));
      assertThat(fill(cache, 7, 7, blocks)).isEqualTo(blocks);
      cache.invalidate(7, 0);
      cache.invalidateFile(7);
      for (int i = 0; i < 10; i++) {
        cache.control().maintain();
      }
      cache.identify(8, identity(8));
      assertThat(fill(cache, 8, 8, 20)).isEqualTo(20);
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(7, identity(7));
      assertThat(countHits(cache, 7, 7, blocks)).isZero();
    }
  }

  @Test
  void shouldFindAllBlocks_ThoughAnOperatorHadTakenTheMediumOut() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = open(disk)) {
      cache.identify(7, identity(7));
      assertThat(fill(cache, 7, 7, BLOCKS)).isEqualTo(BLOCKS);
      cache.control().takeOutOfService("maintenance");
    }
    try (BlockCache cache = open(new CrashDisk(disk.afterKill()))) {
      cache.control().maintain();
      cache.identify(7, identity(7));
      assertThat(countHits(cache, 7, 7, BLOCKS)).isEqualTo(BLOCKS);
    }
  }
}
