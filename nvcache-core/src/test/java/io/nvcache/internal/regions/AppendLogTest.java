// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.internal.space.BlockStore;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.Sizing;
import io.nvcache.testing.ChildJvm;
import io.nvcache.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AppendLogTest {
  private static final int ALIGNMENT = 4096;
  private static final int PAGE = 4096;
  private static final int MAX_LENGTH = 4096;
  private static final long CAPACITY = 2 << 20;

  private final AppendLog log = log(CAPACITY, MAX_LENGTH);
  private final RegionTable table = log.table();
  private final LocationCodec locations = log.locations();

  private record Block(long location, int length) {}

  private static AppendLog log(long capacityBytes, int maxBlockBytes) {
    Sizing sizing =
        Sizing.ofRegions(
            capacityBytes, Sizing.MAX_REGION_BYTES, ALIGNMENT, maxBlockBytes, maxBlockBytes);
    return log(sizing);
  }

  private static AppendLog log(Sizing sizing) {
    RegionTable table = new RegionTable(sizing);
    return new AppendLog(table, sizing, ALIGNMENT, new UUID(1, 2), RegionCodec.CLEAR);
  }

  /** Appends and commits; writes what is complete. */
  private long append(int length) {
    long location = log.append(length);
    if (location >= 0) {
      log.committed(location, length);
      while (log.wantsFlush()) {
        log.passFlushed();
      }
    }
    return location;
  }

  /** Any length, as often one of whole pages. */
  private static int length(RandomGenerator random, int longest) {
    return random.nextBoolean()
        ? 1 + random.nextInt(longest)
        : PAGE * (1 + random.nextInt(longest / PAGE));
  }

  private List<Block> fill(SplittableRandom random) {
    List<Block> blocks = new ArrayList<>();
    while (true) {
      int length = length(random, MAX_LENGTH);
      long location = append(length);
      if (location < 0) {
        assertThat(location).isEqualTo(BlockStore.NO_SPACE);
        return blocks;
      }
      blocks.add(new Block(location, length));
    }
  }

  @Test
  void shouldAppendBlocksThatNeverOverlapAndFillTheMedium() {
    List<Block> blocks = fill(new SplittableRandom(1));
    long end = 0;
    long used = 0;
    for (Block block : blocks) {
      long offset = locations.byteOffset(block.location);
      int space = log.spaceBytes(block.location, block.length);
      assertThat(offset).as("in order, as regions are clean").isGreaterThanOrEqualTo(end);
      assertThat(locations.slotBytes(block.location) - block.length).isBetween(0, 0xFFFF);
      assertThat((offset + space - 1) / table.regionBytes())
          .as("in one region")
          .isEqualTo(offset / table.regionBytes());
      end = offset + space;
      used += space;
    }
    assertThat(end).isLessThanOrEqualTo(locations.capacityBytes());
    assertThat(log.usedBytes()).isEqualTo(used).isGreaterThan(CAPACITY * 3 / 4);
    blocks.forEach(block -> log.release(block.location, block.length));
    assertThat(log.usedBytes()).isZero();
  }

  @Test
  void shouldGiveARegionToNewBlocksOnlyOnceItWasFreed() {
    SplittableRandom random = new SplittableRandom(2);
    List<Block> blocks = fill(random);
    assertThat(table.wanted()).isPositive();
    int region = log.region(blocks.get(0).location);
    long before = log.flushedGeneration(region);
    assertThat(before).isZero();
    blocks.forEach(block -> log.release(block.location, block.length));
    assertThat(append(MAX_LENGTH)).isEqualTo(BlockStore.NO_SPACE);

    table.free(region);

    assertThat(log.generation(blocks.get(0).location) >= 0).isFalse();
    long next = append(MAX_LENGTH);
    assertThat(log.region(next)).isEqualTo(region);
    assertThat(log.generation(next)).as("never used before").isEqualTo(table.count());
    assertThat(log.position(next))
        .isGreaterThan(log.position(blocks.get(blocks.size() - 1).location));
  }

  @Test
  void shouldHaveRoomToSpareWhileMoreRegionsAreFreeThanAreKeptReady() {
    assertThat(table.hasRoomToSpare()).as("all is free").isTrue();
    fill(new SplittableRandom(4));
    assertThat(table.hasRoomToSpare()).isFalse();
    int freed = 0;
    while (table.wanted() > 0) {
      table.free(freed++);
    }
    assertThat(table.hasRoomToSpare()).as("as many as are wanted").isFalse();
    table.free(freed);
    assertThat(table.hasRoomToSpare()).isTrue();
  }

  @Test
  void shouldTakeOutDeadRegionsThatAreNotSoonNeeded_AndFillNoneMeanwhile() {
    assertThat(table.takeDead()).as("never filled").isEmpty();
    fill(new SplittableRandom(5));
    int freed = 0;
    while (table.wanted() >= -1) {
      assertThat(table.takeDead()).as("as many as are wanted, or one more").isEmpty();
      table.free(freed++);
    }
    int taken = table.takeDead().orElseThrow();
    assertThat(taken).as("filled last").isEqualTo(freed - 1);
    assertThat(table.takeDead()).isEmpty();
    Set<Integer> filled = new TreeSet<>();
    fill(new SplittableRandom(6)).forEach(block -> filled.add(log.region(block.location)));
    assertThat(filled).hasSizeGreaterThanOrEqualTo(freed - 1).doesNotContain(taken);
    table.discarded(taken);
    assertThat(table.takeDead()).as("holds no block").isEmpty();
    assertThat(log.region(append(MAX_LENGTH))).isEqualTo(taken);
  }

  @Test
  void shouldFillARegionThatWasNotDiscardedAfterAll() {
    fill(new SplittableRandom(7));
    for (int region = 0; region < table.count() - 1; region++) { // The last one is open.
      table.free(region);
    }
    int taken = table.takeDead().orElseThrow();
    table.keepDead(taken);
    assertThat(table.takeDead()).hasValue(taken);
    table.keepDead(taken);
    Set<Integer> filled = new TreeSet<>();
    fill(new SplittableRandom(8)).forEach(block -> filled.add(log.region(block.location)));
    assertThat(filled).contains(taken);
  }

  @Test
  void shouldRetireRegionsThatAreDamagedAgainAndAgainUpToAPartOfThem() {
    fill(new SplittableRandom(3));
    while (append(1) >= 0) {
      // No room is left in the region that is open.
    }
    int most = table.count() / 16;
    for (int region = 0; region < table.count(); region++) {
      long location = (long) region * table.regionBytes() / locations.granuleBytes();
      for (int i = 0; i < (region < 2 ? 7 : 8); i++) {
        table.damaged(log.region(location));
      }
      table.free(region);
    }
    Set<Integer> used = new TreeSet<>();
    fill(new SplittableRandom(4)).forEach(block -> used.add(log.region(block.location)));
    assertThat(most).isPositive();
    assertThat(used).hasSize(table.count() - most).contains(0, 1).doesNotContain(2);
  }

  @Test
  void shouldBeginAgain_WhenThereWasNoMemory() {
    BitSet noMemory =
        new BitSet() {
          @Override
          public boolean get(int region) {
            if (region == 9) {
              throw new OutOfMemoryError("injected");
            }
            return super.get(region);
          }
        };
    table.beginRestore();
    table.adopt(3, 77);
    assertThatThrownBy(() -> log.endRestore(78, noMemory)).isInstanceOf(OutOfMemoryError.class);
    assertThat(table.awaitsRestore()).isTrue();
    assertThat(append(MAX_LENGTH)).as("nothing is free yet").isEqualTo(BlockStore.NO_SPACE);
    log.endRestore(78, new BitSet());
    Set<Integer> filled = new TreeSet<>();
    fill(new SplittableRandom(9)).forEach(block -> filled.add(log.region(block.location)));
    assertThat(filled).hasSize(table.count() - 1).doesNotContain(3);
    assertThat(log.headGeneration()).as("each once").isEqualTo(78 + filled.size() - 1);
  }

  @Test
  void shouldTakeAHeaderThatItDoesNotKnowForTheOldestOfAll() {
    assertThat(table.lowestGeneration()).as("never written").isEqualTo(Long.MAX_VALUE);
    table.beginRestore();
    for (int region = 0; region < table.count() - 1; region++) {
      table.putHeader(region, 100 + region);
    }
    assertThat(table.lowestGeneration()).isZero();
    table.putHeader(table.count() - 1, 200);
    assertThat(table.lowestGeneration()).isEqualTo(100);
  }

  @Test
  void shouldBeBusyUntilWhatTheBufferHoldsIsWritten() {
    List<Block> unsettled = new ArrayList<>();
    long location = log.append(MAX_LENGTH);
    while (location >= 0) {
      unsettled.add(new Block(location, MAX_LENGTH));
      location = log.append(MAX_LENGTH);
    }
    assertThat(location).isEqualTo(BlockStore.BUSY);
    assertThat(log.wantsFlush()).as("a block is not there yet").isFalse();
    for (int i = unsettled.size() - 1; i >= 0; i--) {
      log.committed(unsettled.get(i).location, MAX_LENGTH);
    }
    assertThat(log.isInNextFlush(unsettled.get(0).location)).isTrue();
    assertThat(log.isInNextFlush(location(unsettled))).isFalse();
    assertThat(log.wantsFlush()).isTrue();
    assertThat(log.append(MAX_LENGTH)).isEqualTo(BlockStore.BUSY);
    log.passFlushed();
    assertThat(log.append(MAX_LENGTH)).isNotNegative();
  }

  /** Large blocks, a small buffer, and pieces that are written late. */
  @Test
  void shouldKeepABlockInTheBufferUntilAllOfItIsWritten() {
    Seeds.each(
        20,
        random -> {
          int longest = 1 << (12 + random.nextInt(9));
          AppendLog small = log(256L * longest, longest);
          ByteBuffer dst = ByteBuffer.allocate(longest);
          List<Block> blocks = new ArrayList<>();
          for (int i = 0; i < 300; i++) {
            int length = length(random, longest);
            long location = small.append(length);
            if (location == BlockStore.NO_SPACE) {
              break;
            }
            if (location >= 0) {
              small.committed(location, length);
              blocks.add(new Block(location, length));
            }
            for (int lag = random.nextInt(3); lag > 0 && small.wantsFlush(); lag--) {
              small.passFlushed();
            }
            if (location == BlockStore.BUSY) {
              assertThat(small.wantsFlush()).as("not busy for ever").isTrue();
              small.passFlushed();
            }
            for (Block block : blocks) {
              long at = small.position(block.location);
              assertThat(
                      at + small.room().bytes(at, block.length) <= small.flushed()
                          || small.buffer().copyOut(at, 0, dst, 0, block.length))
                  .as("block at %d of %d bytes can be read", at, block.length)
                  .isTrue();
            }
          }
          assertThat(blocks).hasSizeGreaterThan(30);
        });
  }

  private static long location(List<Block> blocks) {
    return blocks.get(blocks.size() - 1).location;
  }

  @ParameterizedTest
  @CsvSource({
    "2097152, 4096, 64",
    "17179869184, 1048576, 64",
    "137438953472, 1048576, 512",
    "1099511627776, 1048576, 4096",
    "1099511627776, 131072, 512",
    "1073741824, 16777216, 64",
    "2199023255552, 1048576, 8192",
    "17592186044416, 1048576, 65536",
    "1099511627776, 16777216, 65536"
  })
  void shouldCountInGranulesAsSmallAsTheBitsAllow(long capacity, int longest, int granule) {
    Sizing sizing =
        Sizing.ofRegions(capacity, Sizing.MAX_REGION_BYTES, ALIGNMENT, longest, longest);
    assertThat(sizing.granuleBytes()).isEqualTo(granule);
    assertThat(sizing.capacityBytes() / sizing.extentBytes()).isGreaterThanOrEqualTo(16);
    AppendLog of = log(sizing);
    for (int length : new int[] {1, longest / 2 + 1, longest}) {
      long location = of.append(length);
      assertThat(location).isBetween(0L, 0xFFFF_FFFFL);
      assertThat(of.locations().slotBytes(location) - length).isBetween(0, 0xFFFF);
    }
  }

  @Test
  void shouldRefuseAMediumWithRoomForFewRegionsOnly() {
    assertThatThrownBy(() -> log(1 << 20, 64 << 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the medium's capacity is 1048576 bytes")
        .hasMessageContaining("need at least " + (16 * (256 << 10)));
    assertThatThrownBy(() -> Sizing.ofRegions(CAPACITY, 1 << 20, 8192, 4096, 4096))
        .hasMessageContaining("the medium's alignment is 8192 bytes");
  }

  /** What tiny blocks leave to their footer is longer than the buffer. */
  @Test
  void shouldOpenTheNextRegionThoughTheRestOfTheLastOneIsLongerThanTheBuffer() {
    AppendLog large = log(4L << 30, 1 << 20);
    long ofARegion = large.table().regionBytes() / large.usualSpaceBytes(1);
    long appended = 0;
    int refusedInARow = 0;
    while (appended < 2 * ofARegion && refusedInARow < 3) {
      long location = large.append(1);
      refusedInARow = location < 0 ? refusedInARow + 1 : 0;
      if (location >= 0) {
        appended++;
        large.committed(location, 1);
      }
      while (large.wantsFlush()) {
        large.passFlushed();
      }
    }
    assertThat(appended).isEqualTo(2 * ofARegion);
  }

  @Test
  void shouldFlushOnlyWhatBlocksTakeOfAPiece() {
    int length = MAX_LENGTH - RegionLayout.BLOCK_HEADER_BYTES;
    long location = log.append(length);
    log.committed(location, length);
    while (!log.wantsFlush()) {
      location = log.append(length);
      log.committed(location, length);
    }
    assertThat(log.pendingBytes())
        .isLessThan(log.chunkBytes())
        .isGreaterThan(log.chunkBytes() - 2 * MAX_LENGTH)
        .isEqualTo((int) log.contentEnd(0));
  }

  /** As when its drive is lost; it may be the last one that is free. */
  @Test
  void shouldFindNoSpace_WhereTheFreeRegionsGoOutOfUseMeanwhile() throws InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    Thread loser =
        new Thread(
            () -> {
              while (!ended.get()) {
                for (int region = 0; region < table.count(); region++) {
                  synchronized (table) {
                    if (table.generation(region) < 0) {
                      table.lose(region, true);
                    }
                  }
                }
                for (int region = 0; region < table.count(); region++) {
                  synchronized (table) {
                    if (table.generation(region) < 0) {
                      table.lose(region, true);
                      table.discarded(region);
                    }
                  }
                }
              }
            });
    loser.start();
    try {
      for (int i = 0; i < 200_000; i++) {
        if (append(MAX_LENGTH) < 0) {
          for (int region = 0; region < table.count(); region++) {
            if (log.flushedGeneration(region) >= 0) {
              table.free(region);
            }
          }
        }
      }
    } finally {
      ended.set(true);
      loser.join();
    }
  }

  /** What is freed when there is no heap left is free, as is all that was, and can be opened. */
  @Test
  void shouldLoseNoRegionForWantOfHeap() throws Exception {
    assertThat(ChildJvm.run(List.of("-Xmx16m", "-XX:+UseSerialGC"), ScarceRegions.class))
        .contains("true, failed 0, lost 0, prepared 1024");
  }
}
