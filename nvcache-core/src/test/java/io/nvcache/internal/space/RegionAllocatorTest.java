// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RegionAllocatorTest {
  private static final int ALIGNMENT = 4096;
  private static final int MAX_LENGTH = 4096;
  private static final long CAPACITY = 2 << 20;

  private final RegionAllocator allocator = allocator(CAPACITY, MAX_LENGTH);

  private record Block(long location, int length) {}

  private static RegionAllocator allocator(long capacityBytes, int maxBlockBytes) {
    Sizing sizing =
        Sizing.ofRegions(
            capacityBytes, Sizing.MAX_REGION_BYTES, ALIGNMENT, maxBlockBytes, maxBlockBytes);
    return new RegionAllocator(sizing, ALIGNMENT, new UUID(1, 2));
  }

  /** Allocates and settles; writes what is complete. */
  private long append(int length) {
    long location = allocator.allocate(length);
    if (location >= 0) {
      allocator.settled(location, length);
      while (allocator.wantsFlush()) {
        allocator.passFlushed();
      }
    }
    return location;
  }

  private List<Block> fill(SplittableRandom random) {
    List<Block> blocks = new ArrayList<>();
    while (true) {
      int length = 1 + random.nextInt(MAX_LENGTH);
      long location = append(length);
      if (location < 0) {
        assertThat(location).isEqualTo(Allocator.NO_SPACE);
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
      long offset = allocator.byteOffset(block.location);
      int space = allocator.spaceBytes(block.length);
      assertThat(offset).as("in order, as regions are clean").isGreaterThanOrEqualTo(end);
      assertThat(allocator.slotBytes(block.location) - block.length).isBetween(0, 0xFFFF);
      assertThat((offset + space - 1) / allocator.regionBytes())
          .as("in one region")
          .isEqualTo(offset / allocator.regionBytes());
      end = offset + space;
      used += space;
    }
    assertThat(end).isLessThanOrEqualTo(allocator.capacityBytes());
    assertThat(allocator.usedBytes()).isEqualTo(used).isGreaterThan(CAPACITY * 3 / 4);
    blocks.forEach(block -> allocator.release(block.location, block.length));
    assertThat(allocator.usedBytes()).isZero();
  }

  @Test
  void shouldGiveARegionToNewBlocksOnlyOnceItWasFreed() {
    SplittableRandom random = new SplittableRandom(2);
    List<Block> blocks = fill(random);
    assertThat(allocator.wantedRegions()).isPositive();
    int region = allocator.region(blocks.get(0).location);
    long before = allocator.flushedGeneration(region);
    assertThat(before).isZero();
    blocks.forEach(block -> allocator.release(block.location, block.length));
    assertThat(append(MAX_LENGTH)).isEqualTo(Allocator.NO_SPACE);

    allocator.empty(region);
    assertThat(allocator.isDraining(blocks.get(0).location)).isTrue();
    assertThat(allocator.isDraining(blocks.get(blocks.size() - 1).location)).isFalse();
    allocator.free(region);

    assertThat(allocator.isTaken(blocks.get(0).location)).isFalse();
    long next = append(MAX_LENGTH);
    assertThat(allocator.region(next)).isEqualTo(region);
    assertThat(allocator.generation(next)).as("never used before").isEqualTo(allocator.regions());
    assertThat(allocator.position(next))
        .isGreaterThan(allocator.position(blocks.get(blocks.size() - 1).location));
  }

  @Test
  void shouldHaveRoomToSpareWhileMoreRegionsAreFreeThanAreKeptReady() {
    assertThat(allocator.hasRoomToSpare()).as("all is free").isTrue();
    fill(new SplittableRandom(4));
    assertThat(allocator.hasRoomToSpare()).isFalse();
    int freed = 0;
    while (allocator.wantedRegions() > 0) {
      allocator.free(freed++);
    }
    assertThat(allocator.hasRoomToSpare()).as("as many as are wanted").isFalse();
    allocator.free(freed);
    assertThat(allocator.hasRoomToSpare()).isTrue();
  }

  @Test
  void shouldTakeOutDeadRegionsThatAreNotSoonNeeded_AndFillNoneMeanwhile() {
    assertThat(allocator.takeDead()).as("never filled").isNegative();
    fill(new SplittableRandom(5));
    int freed = 0;
    while (allocator.wantedRegions() >= -1) {
      assertThat(allocator.takeDead()).as("as many as are wanted, or one more").isNegative();
      allocator.free(freed++);
    }
    int taken = allocator.takeDead();
    assertThat(taken).as("filled last").isEqualTo(freed - 1);
    assertThat(allocator.takeDead()).isNegative();
    Set<Integer> filled = new TreeSet<>();
    fill(new SplittableRandom(6)).forEach(block -> filled.add(allocator.region(block.location)));
    assertThat(filled).hasSizeGreaterThanOrEqualTo(freed - 1).doesNotContain(taken);
    allocator.discarded(taken);
    assertThat(allocator.takeDead()).as("holds no block").isNegative();
    assertThat(allocator.region(append(MAX_LENGTH))).isEqualTo(taken);
  }

  @Test
  void shouldFillARegionThatWasNotDiscardedAfterAll() {
    fill(new SplittableRandom(7));
    for (int region = 0; region < allocator.regions() - 1; region++) { // The last one is open.
      allocator.free(region);
    }
    int taken = allocator.takeDead();
    allocator.keepDead(taken);
    assertThat(allocator.takeDead()).isEqualTo(taken);
    allocator.keepDead(taken);
    Set<Integer> filled = new TreeSet<>();
    fill(new SplittableRandom(8)).forEach(block -> filled.add(allocator.region(block.location)));
    assertThat(filled).contains(taken);
  }

  @Test
  void shouldRetireRegionsThatAreDamagedAgainAndAgainUpToAPartOfThem() {
    fill(new SplittableRandom(3));
    int most = allocator.regions() / 16;
    for (int region = 0; region < allocator.regions(); region++) {
      long location = (long) region * allocator.regionBytes() / allocator.granuleBytes();
      for (int i = 0; i < (region < 2 ? 7 : 8); i++) {
        allocator.damaged(location);
      }
      allocator.free(region);
    }
    Set<Integer> used = new TreeSet<>();
    fill(new SplittableRandom(4)).forEach(block -> used.add(allocator.region(block.location)));
    assertThat(most).isPositive();
    assertThat(used).hasSize(allocator.regions() - most).contains(0, 1).doesNotContain(2);
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
    allocator.hold();
    allocator.adopt(3, 77);
    assertThatThrownBy(() -> allocator.begin(78, noMemory)).isInstanceOf(OutOfMemoryError.class);
    assertThat(allocator.isHeld()).isTrue();
    assertThat(append(MAX_LENGTH)).as("nothing is free yet").isEqualTo(Allocator.NO_SPACE);
    allocator.begin(78, new BitSet());
    Set<Integer> filled = new TreeSet<>();
    fill(new SplittableRandom(9)).forEach(block -> filled.add(allocator.region(block.location)));
    assertThat(filled).hasSize(allocator.regions() - 1).doesNotContain(3);
    assertThat(allocator.headGeneration()).as("each once").isEqualTo(78 + filled.size() - 1);
  }

  @Test
  void shouldTakeAHeaderThatItDoesNotKnowForTheOldestOfAll() {
    assertThat(allocator.lowestGeneration()).as("never written").isEqualTo(Long.MAX_VALUE);
    allocator.hold();
    for (int region = 0; region < allocator.regions() - 1; region++) {
      allocator.putHeader(region, 100 + region);
    }
    assertThat(allocator.lowestGeneration()).isZero();
    allocator.putHeader(allocator.regions() - 1, 200);
    assertThat(allocator.lowestGeneration()).isEqualTo(100);
  }

  @Test
  void shouldBeBusyUntilWhatTheBufferHoldsIsWritten() {
    List<Block> unsettled = new ArrayList<>();
    long location = allocator.allocate(MAX_LENGTH);
    while (location >= 0) {
      unsettled.add(new Block(location, MAX_LENGTH));
      location = allocator.allocate(MAX_LENGTH);
    }
    assertThat(location).isEqualTo(Allocator.BUSY);
    assertThat(allocator.wantsFlush()).as("a block is not there yet").isFalse();
    for (int i = unsettled.size() - 1; i >= 0; i--) {
      allocator.settled(unsettled.get(i).location, MAX_LENGTH);
    }
    assertThat(allocator.isInNextFlush(unsettled.get(0).location)).isTrue();
    assertThat(allocator.isInNextFlush(location(unsettled))).isFalse();
    assertThat(allocator.wantsFlush()).isTrue();
    assertThat(allocator.allocate(MAX_LENGTH)).isEqualTo(Allocator.BUSY);
    allocator.passFlushed();
    assertThat(allocator.allocate(MAX_LENGTH)).isNotNegative();
  }

  /** Large blocks, a small buffer, and pieces that are written late. */
  @Test
  void shouldKeepABlockInTheBufferUntilAllOfItIsWritten() {
    Seeds.each(
        20,
        random -> {
          int longest = 1 << (12 + random.nextInt(9));
          RegionAllocator log = allocator(256L * longest, longest);
          ByteBuffer dst = ByteBuffer.allocate(longest);
          List<Block> blocks = new ArrayList<>();
          for (int i = 0; i < 300; i++) {
            int length = 1 + random.nextInt(longest);
            long location = log.allocate(length);
            if (location == Allocator.NO_SPACE) {
              break;
            }
            if (location >= 0) {
              log.settled(location, length);
              blocks.add(new Block(location, length));
            }
            for (int lag = random.nextInt(3); lag > 0 && log.wantsFlush(); lag--) {
              log.passFlushed();
            }
            if (location == Allocator.BUSY) {
              assertThat(log.wantsFlush()).as("not busy for ever").isTrue();
              log.passFlushed();
            }
            for (Block block : blocks) {
              long at = log.position(block.location);
              assertThat(
                      at + log.spaceBytes(block.length) <= log.flushed()
                          || log.buffer().copyOut(at, 0, dst, 0, block.length))
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
    RegionAllocator of = new RegionAllocator(sizing, ALIGNMENT, new UUID(1, 2));
    for (int length : new int[] {1, longest / 2 + 1, longest}) {
      long location = of.allocate(length);
      assertThat(location).isBetween(0L, 0xFFFF_FFFFL);
      assertThat(of.slotBytes(location) - length).isBetween(0, 0xFFFF);
    }
  }

  @Test
  void shouldRefuseAMediumWithRoomForFewRegionsOnly() {
    assertThatThrownBy(() -> allocator(1 << 20, 64 << 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the medium's capacity is 1048576 bytes")
        .hasMessageContaining("need at least " + (16 * (256 << 10)));
    assertThatThrownBy(() -> Sizing.ofRegions(CAPACITY, 1 << 20, 8192, 4096, 4096))
        .hasMessageContaining("the medium's alignment is 8192 bytes");
  }

  /** What tiny blocks leave to their footer is longer than the buffer. */
  @Test
  void shouldOpenTheNextRegionThoughTheRestOfTheLastOneIsLongerThanTheBuffer() {
    RegionAllocator large = allocator(4L << 30, 1 << 20);
    long ofARegion = large.regionBytes() / large.spaceBytes(1);
    long appended = 0;
    int refusedInARow = 0;
    while (appended < 2 * ofARegion && refusedInARow < 3) {
      long location = large.allocate(1);
      refusedInARow = location < 0 ? refusedInARow + 1 : 0;
      if (location >= 0) {
        appended++;
        large.settled(location, 1);
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
    long location = allocator.allocate(length);
    allocator.settled(location, length);
    while (!allocator.wantsFlush()) {
      location = allocator.allocate(length);
      allocator.settled(location, length);
    }
    assertThat(allocator.pendingBytes())
        .isLessThan(allocator.chunkBytes())
        .isGreaterThan(allocator.chunkBytes() - 2 * MAX_LENGTH)
        .isEqualTo((int) allocator.contentEnd(0));
  }
}
