// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which faults of a medium are found of blocks that fill pages, which have no header there: by the
 * first read of each, whatever part of the later reads is verified; and by these.
 *
 * <p>Caught as mutants: a sum that is not compared at the first read; one that is, and is not noted
 * or noted though it differs; a block that counts as verified after it was written to another
 * place, or after a restart; a part of verified reads that is not asked for.
 */
@Timeout(120)
final class VerifiedReadsTest {
  private static final int PAGE = 4096;
  private static final int LENGTH = 2 * PAGE;
  private static final int CAPACITY = 8 << 20;
  private static final long FILE = 7;

  /** More than the buffer holds and less than the medium. */
  private static final int BLOCKS = 500;

  /** Of sixteen reads one is verified: that none of so many is has a chance of 10^-28. */
  private static final int MANY_READS = 1000;

  private final Medium inner = NativeMedium.allocate(CAPACITY);

  /** Reads where the caller wants it, as flash does. */
  private final FaultyMedium medium = new ReadingInto(inner);

  private static class ReadingInto extends FaultyMedium {
    ReadingInto(Medium inner) {
      super(inner);
    }

    @Override
    public boolean readsInto(ByteBuffer dst, int dstPosition) {
      return true;
    }
  }

  /** Its memory may be that of another test, which had the same blocks at the same places. */
  @BeforeEach
  void clear() throws IOException {
    inner.write(0, ByteBuffer.allocate(CAPACITY), 0, CAPACITY);
  }

  private static BlockCacheBuilder builder(Medium on) {
    return BlockCache.builder()
        .medium(on)
        .placement(BlockPlacement.REGIONS)
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH / 4) // So that no bucket of the index is ever full.
        .maxMediumFailures(Integer.MAX_VALUE)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller();
  }

  private BlockCache open(double verifiedReads) {
    BlockCache cache = builder(medium).verifiedReads(verifiedReads).build();
    offerAll(cache);
    return cache;
  }

  private static void offerAll(BlockCache cache) {
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * LENGTH;
      assertThat(cache.offer(FILE, offset, TestBlock.of(FILE, offset, LENGTH), Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
    }
  }

  private enum Answer {
    MISS,
    RIGHT,
    WRONG
  }

  private static Answer get(BlockCache cache, int block) {
    long offset = (long) block * LENGTH;
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    if (cache.get(FILE, offset, dst) == BlockCache.MISS) {
      return Answer.MISS;
    }
    return TestBlock.matches(dst.flip(), FILE, offset, LENGTH) ? Answer.RIGHT : Answer.WRONG;
  }

  private static int count(BlockCache cache, Answer answer) {
    int count = 0;
    for (int block = 0; block < BLOCKS; block++) {
      count += get(cache, block) == answer ? 1 : 0;
    }
    return count;
  }

  /** Returns where on the medium a block lies, which begins with a page. */
  private static int placeOf(int block, Medium on) throws IOException {
    ByteBuffer first = TestBlock.of(FILE, (long) block * LENGTH, LENGTH).limit(PAGE);
    ByteBuffer page = ByteBuffer.allocate(PAGE);
    for (int at = 0; at < CAPACITY; at += PAGE) {
      on.read(at, page.clear(), PAGE);
      if (page.equals(first)) {
        return at;
      }
    }
    throw new AssertionError("block " + block + " does not begin with a page");
  }

  /** Flips a bit of a block where it lies, at the end of its second page. */
  private void rot(int block) throws IOException {
    int at = placeOf(block, inner) + PAGE;
    ByteBuffer page = ByteBuffer.allocate(PAGE);
    inner.read(at, page, PAGE);
    inner.write(at, page.put(PAGE - 1, (byte) (page.get(PAGE - 1) ^ 1)), 0, PAGE);
  }

  @ParameterizedTest
  @CsvSource({
    "FLIPPED_WRITE, 0",
    "FLIPPED_WRITE, 0.0625",
    "FLIPPED_WRITE, 1",
    "TORN_WRITE, 0",
    "TORN_WRITE, 1"
  })
  void shouldFindEachWriteThatWentWrong_AtTheFirstRead(Fault fault, double verifiedReads) {
    medium.inject(fault);
    try (BlockCache cache = open(verifiedReads)) {
      medium.heal();
      assertThat(count(cache, Answer.WRONG)).isZero();
      assertThat(cache.control().health().checksumFailures()).isPositive();
    }
  }

  /** A write that says it was done, and was not: the pages are those of an earlier filling. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void shouldFindEachWriteThatWasLost_AtTheFirstRead(double verifiedReads) {
    AtomicInteger writes = new AtomicInteger();
    Medium forgetful =
        new ReadingInto(inner) {
          @Override
          public void write(long offset, ByteBuffer src, int position, int length)
              throws IOException {
            if (writes.getAndIncrement() % 3 != 0) {
              super.write(offset, src, position, length);
            }
          }
        };
    try (BlockCache cache = builder(forgetful).verifiedReads(verifiedReads).build()) {
      for (int filling = 0; filling < 5; filling++) {
        cache.invalidateFile(FILE);
        cache.control().maintain();
        offerAll(cache);
        assertThat(count(cache, Answer.WRONG)).isZero();
      }
      assertThat(cache.control().health().checksumFailures()).isPositive();
    }
  }

  @Test
  void shouldFindWhatRotsLater_AtTheNextRead_IfAllAreVerified() throws IOException {
    try (BlockCache cache = open(1)) {
      assertThat(count(cache, Answer.RIGHT)).isEqualTo(BLOCKS);
      rot(0);
      assertThat(get(cache, 0)).isEqualTo(Answer.MISS);
      assertThat(cache.control().health().checksumFailures()).isOne();
      assertThat(count(cache, Answer.RIGHT)).isEqualTo(BLOCKS - 1);
    }
  }

  /** What the default gives up: until one read of sixteen finds it, it is served. */
  @Test
  void shouldFindWhatRotsLater_AfterSomeReads_IfAPartIsVerified() throws IOException {
    try (BlockCache cache = open(0.0625)) {
      assertThat(count(cache, Answer.RIGHT)).isEqualTo(BLOCKS);
      int wrong = 0;
      for (int block = 0; block < 40; block++) {
        rot(block);
        for (int read = 0; read < MANY_READS && get(cache, block) == Answer.WRONG; read++) {
          wrong++;
        }
        assertThat(get(cache, block)).isEqualTo(Answer.MISS);
      }
      assertThat(wrong / 40.0).as("reads of a block before it is found").isBetween(5.0, 40.0);
      assertThat(cache.control().health().checksumFailures()).isEqualTo(40);
    }
  }

  /** And with 0 what is found by nothing; the setting may be changed at any time. */
  @Test
  void shouldServeWhatRotsLater_IfNoneIsVerified_UntilTheSettingChanges() throws IOException {
    try (BlockCache cache = open(0)) {
      assertThat(count(cache, Answer.RIGHT)).isEqualTo(BLOCKS);
      rot(0);
      for (int read = 0; read < MANY_READS; read++) {
        assertThat(get(cache, 0)).isEqualTo(Answer.WRONG);
      }
      cache.control().settings().setVerifiedReads(1);
      assertThat(get(cache, 0)).isEqualTo(Answer.MISS);
    }
  }

  /**
   * A page that is read wrong once, and right the next time, only a read that is verified finds.
   */
  @Test
  void shouldFindAReadThatWentWrong_IfItIsVerified() {
    try (BlockCache cache = open(1)) {
      assertThat(count(cache, Answer.RIGHT)).isEqualTo(BLOCKS);
      medium.inject(Fault.BIT_FLIP);
      assertThat(get(cache, 0)).isEqualTo(Answer.MISS);
      cache.control().settings().setVerifiedReads(0);
      assertThat(get(cache, 1)).isEqualTo(Answer.WRONG);
      medium.heal();
      assertThat(get(cache, 1)).isEqualTo(Answer.RIGHT);
    }
  }

  /** A part is copied only once the whole was compared. */
  @Test
  void shouldCompareTheWholeBlockBeforeTheFirstPartIsRead() throws IOException {
    try (BlockCache cache = open(0)) {
      rot(0); // In the second page.
      ByteBuffer part = ByteBuffer.allocate(PAGE);
      assertThat(cache.getRange(FILE, 0, 0, part)).isEqualTo(BlockCache.MISS);
      assertThat(cache.control().health().checksumFailures()).isOne();
      assertThat(cache.getRange(FILE, LENGTH, PAGE, part)).isEqualTo(PAGE);
      assertThat(part.flip()).isEqualTo(TestBlock.of(FILE, LENGTH, LENGTH).position(PAGE).slice());
      assertThat(cache.getRange(FILE, LENGTH, PAGE, part.clear())).isEqualTo(PAGE);
      assertThat(part.flip()).isEqualTo(TestBlock.of(FILE, LENGTH, LENGTH).position(PAGE).slice());
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void shouldFindWhatRotWhileTheCacheWasDown_AtTheFirstRead(double verifiedReads)
      throws IOException {
    CrashDisk disk = new CrashDisk(CAPACITY);
    FileIdentity identity = FileIdentity.of("test", "rot");
    try (BlockCache cache = builder(disk).build()) {
      cache.identify(FILE, identity);
      offerAll(cache);
      assertThat(count(cache, Answer.RIGHT)).isEqualTo(BLOCKS);
    }
    byte[] image = disk.afterKill();
    int rotten = 50;
    for (int block = 0; block < rotten; block++) {
      image[placeOf(block, disk) + LENGTH - 1] ^= 1;
    }
    try (BlockCache cache = builder(new CrashDisk(image)).verifiedReads(verifiedReads).build()) {
      cache.identify(FILE, identity);
      cache.control().maintain();
      assertThat(count(cache, Answer.WRONG)).isZero();
      assertThat(cache.control().health().checksumFailures()).isEqualTo(rotten);
      assertThat(count(cache, Answer.RIGHT)).isEqualTo(BLOCKS - rotten);
    }
  }
}
