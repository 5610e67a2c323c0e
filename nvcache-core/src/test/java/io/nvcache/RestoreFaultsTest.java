// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.RestoreLoss;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A medium that changed while the node was down: pages rotten, rolled back, astray, of another
 * cache, or cut off. The cache starts, and gives no wrong byte.
 */
@Timeout(300)
final class RestoreFaultsTest {
  private static final int CAPACITY = 3 << 20;
  private static final int PAGE = 4096;
  private static final int REGION = 64 << 10;
  private static final int LENGTH = 2000;
  private static final int FILES = 4;
  private static final int BLOCKS = 300;

  /** An earlier state of the same cache, and its last one. */
  private byte[] earlier = new byte[0];

  private byte[] last = new byte[0];

  /** Every fourth one fills a page, and has no header. */
  private static int length(int block) {
    return block % 4 == 0 ? PAGE : LENGTH;
  }

  private static FileIdentity identity(int file) {
    return FileIdentity.of("test", Integer.toString(file));
  }

  @BeforeEach
  void fillTwice() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = WarmRestartTest.builder(disk).build()) {
      offerAll(cache, 0, 2);
    }
    earlier = disk.afterKill();
    disk = new CrashDisk(earlier);
    try (BlockCache cache = WarmRestartTest.builder(disk).build()) {
      cache.control().maintain();
      offerAll(cache, 2, FILES);
      offerAll(cache, 0, FILES);
    }
    last = disk.afterKill();
  }

  private static void offerAll(BlockCache cache, int from, int to) {
    for (int file = from; file < to; file++) {
      cache.identify(file, identity(file));
      for (int block = 0; block < BLOCKS; block++) {
        long offset = (long) block * PAGE;
        cache.offer(file, offset, TestBlock.of(file, offset, length(block)), Source.READ);
      }
    }
  }

  /** Opens a cache on an image, compares all that it gives, and returns how many blocks. */
  private static int check(byte[] image) {
    try (BlockCache cache = WarmRestartTest.builder(new CrashDisk(image)).build()) {
      return check(cache);
    }
  }

  private static int check(BlockCache cache) {
    cache.control().maintain();
    int hits = 0;
    ByteBuffer dst = ByteBuffer.allocate(PAGE);
    for (int file = 0; file < FILES; file++) {
      cache.identify(file, identity(file));
      for (int block = 0; block < BLOCKS; block++) {
        long offset = (long) block * PAGE;
        if (cache.get(file, offset, dst.clear()) != BlockCache.MISS) {
          TestBlock.assertMatches(dst.flip(), file, offset, length(block));
          hits++;
        }
      }
    }
    assertThat(cache.control().ledger().contradictions()).isEmpty();
    return hits;
  }

  @Test
  void shouldServeAllOfAnUnchangedMedium() {
    assertThat(check(last)).isGreaterThan(2 * BLOCKS);
    assertThat(check(earlier)).as("but some displaced").isGreaterThan(2 * BLOCKS - 50);
  }

  /** Each page by itself: a bit flipped, as it was earlier, another's, or gone. */
  @Test
  void shouldNeverGiveAWrongByte_WhicheverPageChanges() {
    SplittableRandom random = new SplittableRandom(25);
    int all = check(last);
    int hits = 0;
    for (int page = 0; page < CAPACITY; page += PAGE) {
      byte[] image = last.clone();
      switch (random.nextInt(4)) {
        case 0 -> image[page + random.nextInt(64)] ^= (byte) (1 << random.nextInt(8));
        case 1 -> System.arraycopy(earlier, page, image, page, PAGE);
        case 2 -> System.arraycopy(last, random.nextInt(CAPACITY / PAGE) * PAGE, image, page, PAGE);
        default -> System.arraycopy(new byte[PAGE], 0, image, page, PAGE);
      }
      hits += check(image);
    }
    assertThat(hits).isGreaterThan(all * (CAPACITY / PAGE) / 2);
  }

  /** Many at once, sectors of 512 bytes. */
  @Test
  void shouldNeverGiveAWrongByte_WhicheverSectorsChange() {
    SplittableRandom random = new SplittableRandom(26);
    for (int round = 0; round < 100; round++) {
      byte[] image = last.clone();
      int changes = 1 << random.nextInt(9);
      for (int i = 0; i < changes; i++) {
        int at = random.nextInt(CAPACITY / 512) * 512;
        byte[] from = random.nextBoolean() ? earlier : last;
        int source = random.nextInt(3) == 0 ? random.nextInt(CAPACITY / 512) * 512 : at;
        System.arraycopy(from, source, image, at, 512);
      }
      check(image);
    }
  }

  /**
   * What comes of a mutant that takes an old generation for the present one: headers and footers of
   * the earlier state over the blocks of the last. The blocks' own stamps stand against it.
   */
  @Test
  void shouldMissWhereOldHeadersAndFootersCameBack() {
    byte[] image = last.clone();
    List<Integer> changed = new ArrayList<>();
    for (int region = 0; region < (CAPACITY - 2 * PAGE) / REGION; region++) {
      int at = 2 * PAGE + region * REGION;
      boolean written = earlier[at] != 0;
      boolean anew = !Arrays.equals(earlier, at, at + 64, last, at, at + 64);
      if (written && anew) {
        System.arraycopy(earlier, at, image, at, PAGE);
        System.arraycopy(earlier, at + REGION - PAGE, image, at + REGION - PAGE, PAGE);
        changed.add(region);
      }
    }
    assertThat(changed).as("regions that were filled anew").isNotEmpty();
    try (BlockCache cache = WarmRestartTest.builder(new CrashDisk(image)).build()) {
      check(cache);
      assertThat(cache.control().health().checksumFailures()).isPositive();
    }
  }

  /** The superblock alone is old: the regions that it can't know are dropped, and no more. */
  @Test
  void shouldDropWhatASuperblockThatCameBackCanNotKnow() {
    byte[] image = last.clone();
    System.arraycopy(earlier, 0, image, 0, 2 * PAGE);
    try (BlockCache cache = WarmRestartTest.builder(new CrashDisk(image)).build()) {
      check(cache);
      // Whatever is appended next must have a generation that no block on the medium has.
      offerAll(cache, 0, FILES);
      check(cache);
      assertThat(cache.control().health().checksumFailures()).isZero();
    }
  }

  @Test
  void shouldStartColdOnWhatIsNotACaches() {
    SplittableRandom random = new SplittableRandom(27);
    byte[] noise = new byte[CAPACITY];
    random.nextBytes(noise);
    for (byte[] image : List.of(noise, new byte[CAPACITY])) {
      try (BlockCache cache = WarmRestartTest.builder(new CrashDisk(image)).build()) {
        assertThat(check(cache)).isZero();
        assertThat(cache.control().restore().state()).isEqualTo(State.COLD);
        assertThat(cache.control().restore().reason()).contains("no superblock");
        offerAll(cache, 0, 1);
        assertThat(check(cache)).isEqualTo(BLOCKS);
      }
    }
  }

  /** A cold start draws another instance: blocks that it finds on its way are no one's. */
  @Test
  void shouldNeverTakeAnotherCachesBlocksForItsOwn() {
    byte[] image = last.clone();
    System.arraycopy(new byte[2 * PAGE], 0, image, 0, 2 * PAGE);
    CrashDisk disk = new CrashDisk(image);
    try (BlockCache cache = WarmRestartTest.builder(disk).build()) {
      assertThat(check(cache)).isZero();
      offerAll(cache, 0, 1);
    }
    assertThat(check(disk.afterKill())).isEqualTo(BLOCKS);
  }

  @Test
  void shouldStartColdOnACutMedium() {
    byte[] cut = Arrays.copyOf(last, CAPACITY - REGION);
    try (BlockCache cache = WarmRestartTest.builder(new CrashDisk(cut)).build()) {
      assertThat(check(cache)).isZero();
      assertThat(cache.control().restore().reason()).contains("written as " + CAPACITY);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"READ_ERROR", "READ_THROWS", "READ_GONE"})
  void shouldStartWhereNothingCanBeRead(Fault fault) {
    FaultyMedium medium = faulty(last);
    medium.inject(fault);
    try (BlockCache cache = builder(medium).build()) {
      assertThat(cache.control().restore().reason()).contains("can't be read");
      medium.heal();
      offerAll(cache, 0, 1);
      assertThat(check(cache)).isEqualTo(BLOCKS);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"READ_ERROR", "READ_THROWS", "READ_GONE"})
  void shouldDropTheRegionsThatCanNotBeRead(Fault fault) {
    int unreadable = 2 * PAGE + 5 * REGION;
    requireOneDropped(fault, offset -> offset >= unreadable && offset < unreadable + PAGE);
  }

  private void requireOneDropped(Fault fault, LongPredicate where) {
    FaultyMedium medium = faulty(last);
    try (BlockCache cache = builder(medium).build()) {
      medium.inject(fault, where);
      cache.control().maintain();
      medium.heal();
      assertThat(check(cache)).isGreaterThan(BLOCKS);
      assertThat(cache.control().restore().lostRegions()).containsEntry(RestoreLoss.UNREADABLE, 1L);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"READ_GONE", "WRITE_ERROR", "WRITE_THROWS", "WRITE_GONE"})
  void shouldStartColdWhereNothingCanBeForgotten(Fault fault) {
    FaultyMedium medium = faulty(last);
    medium.inject(fault);
    try (BlockCache cache = builder(medium).restart(Restart.COLD).build()) {
      medium.heal();
      offerAll(cache, 0, 1);
      assertThat(check(cache)).isEqualTo(BLOCKS);
    }
  }

  /** Of them the header can be, and the end that says how long the list is, once. */
  @ParameterizedTest
  @EnumSource(names = {"READ_ERROR", "READ_THROWS", "READ_GONE"})
  void shouldDropTheRegionsWhoseListsCanNotBeRead(Fault fault) {
    int end = 2 * PAGE + 6 * REGION - RegionFooter.TAIL_BYTES;
    AtomicInteger reads = new AtomicInteger();
    requireOneDropped(fault, offset -> offset == end && reads.getAndIncrement() > 0);
  }

  /** As after a kill: what was sealed before is found, and no footer lists what was not written. */
  @ParameterizedTest
  @EnumSource(names = {"WRITE_ERROR", "WRITE_THROWS", "OUT_OF_SPACE"})
  void shouldFindAllSealedRegions_WhenTheLastPieceCanNotBeWritten(Fault fault) {
    int perRegion = REGION / (LENGTH + 32);
    CrashDisk disk = new CrashDisk(last);
    FaultyMedium medium = faulty(disk);
    try (BlockCache cache = builder(medium).build()) {
      cache.control().maintain();
      cache.identify(FILES, identity(FILES));
      for (int block = 0; block < perRegion / 2; block++) {
        long offset = (long) block * PAGE;
        cache.offer(FILES, offset, TestBlock.of(FILES, offset, length(block)), Source.READ);
      }
      // Where the region begins, its header is written, and then the piece. Its footer could be.
      AtomicInteger atBeginning = new AtomicInteger();
      medium.inject(fault, offset -> beginsRegion(offset) && atBeginning.getAndIncrement() > 0);
    }
    assertThat(medium.injected).hasPositiveValue();
    try (BlockCache cache = WarmRestartTest.builder(new CrashDisk(disk.afterKill())).build()) {
      assertThat(check(cache)).isGreaterThanOrEqualTo(check(last) - 2 * perRegion);
      cache.identify(FILES, identity(FILES));
      ByteBuffer dst = ByteBuffer.allocate(PAGE);
      assertThat(cache.get(FILES, 0, dst)).isEqualTo(BlockCache.MISS);
      assertThat(cache.control().health().checksumFailures()).isZero();
    }
  }

  private static boolean beginsRegion(long offset) {
    return offset >= 2 * PAGE && (offset - 2 * PAGE) % REGION == 0;
  }

  private static FaultyMedium faulty(byte[] image) {
    return faulty(new CrashDisk(image));
  }

  private static FaultyMedium faulty(CrashDisk disk) {
    return new FaultyMedium(disk) {
      @Override
      public int regionBytes() {
        return REGION;
      }
    };
  }

  private static BlockCacheBuilder builder(FaultyMedium medium) {
    return BlockCache.builder()
        .medium(medium)
        .placement(BlockPlacement.REGIONS)
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE / 4) // So that no bucket of the index is ever full.
        .maintainedByCaller()
        .maxMediumFailures(Integer.MAX_VALUE)
        .admission(AdmissionPresets.admitAll());
  }
}
