// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.internal.space.Sizing;
import io.nvcache.testing.Race;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RunAllocatorTest {
  private static final int GRANULE = 256;
  static final int EXTENT = 32 << 10;
  static final int MAX_BLOCK = 4096;
  private static final int STEPS = 40_000;

  static RunAllocator allocator(long capacityBytes) {
    return new RunAllocator(
        new Sizing(
            Sizing.Cut.RUNS, GRANULE, EXTENT, capacityBytes, (int) capacityBytes / 64, MAX_BLOCK));
  }

  /** The medium as a row of granules, each with the block that has it, looked at one by one. */
  private static final class NaiveMedium {
    private static final long FREE = -1;

    private final long[] owner;
    private final int granulesPerExtent = EXTENT / GRANULE;

    NaiveMedium(long capacityBytes) {
      owner = new long[(int) (capacityBytes / GRANULE)];
      Arrays.fill(owner, FREE);
    }

    void take(int start, int granules, long block) {
      assertThat(start / granulesPerExtent).isEqualTo((start + granules - 1) / granulesPerExtent);
      for (int i = start; i < start + granules; i++) {
        assertThat(owner[i]).as("granule %d", i).isEqualTo(FREE);
        owner[i] = block;
      }
    }

    void free(int start, int granules) {
      Arrays.fill(owner, start, start + granules, FREE);
    }

    int longestRun() {
      int longest = 0;
      int run = 0;
      for (int i = 0; i < owner.length; i++) {
        run = owner[i] != FREE ? 0 : i % granulesPerExtent == 0 ? 1 : run + 1;
        longest = Math.max(longest, run);
      }
      return longest;
    }

    /** How many granules in a row would be free if these were. */
    int runIfFreed(int start, int granules) {
      int from = start;
      while (from % granulesPerExtent != 0 && owner[from - 1] == FREE) {
        from--;
      }
      int to = start + granules;
      while (to % granulesPerExtent != 0 && to < owner.length && owner[to] == FREE) {
        to++;
      }
      return to - from;
    }

    long usedBytes() {
      return Arrays.stream(owner).filter(block -> block != FREE).count() * GRANULE;
    }
  }

  private record Taken(long location, int pins, boolean released) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldHandOutWhatANaiveMediumWould(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long capacity = (1 + random.nextInt(9)) * (long) EXTENT + random.nextInt(EXTENT);
    RunAllocator allocator = allocator(capacity);
    NaiveMedium medium = new NaiveMedium(capacity);
    List<Taken> blocks = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      int what = random.nextInt(100);
      if (what < 45 || blocks.isEmpty()) {
        int length = 1 + random.nextInt(random.nextInt(4) == 0 ? MAX_BLOCK : 1024);
        take(allocator, medium, blocks, length, step);
      } else {
        int i = random.nextInt(blocks.size());
        Taken block = blocks.get(i);
        if (what < 60) {
          assertThat(allocator.pin(block.location)).isTrue();
          blocks.set(i, new Taken(block.location, block.pins + 1, block.released));
        } else if (what < 78 && block.pins > 0) {
          allocator.unpin(block.location);
          blocks.set(i, new Taken(block.location, block.pins - 1, block.released));
          freeIfGone(allocator, medium, blocks);
        } else if (!block.released) {
          spare(allocator, medium, block.location, 1 + random.nextInt(MAX_BLOCK));
          allocator.release(block.location);
          blocks.set(i, new Taken(block.location, block.pins, true));
          freeIfGone(allocator, medium, blocks);
        }
      }
      if (allocator.wantsDraining() && random.nextInt(50) == 0) {
        drain(allocator, medium, blocks);
      }
      assertUsed(allocator, medium, blocks, step);
    }
    for (Taken block : blocks) {
      for (int i = 0; i < block.pins; i++) {
        allocator.unpin(block.location);
      }
      if (!block.released) {
        allocator.release(block.location);
      }
    }
    assertThat(allocator.usedBytes()).as("seed %d", seed).isZero();
  }

  private static void take(
      RunAllocator allocator, NaiveMedium medium, List<Taken> blocks, int length, int step) {
    int granules = (length + GRANULE - 1) / GRANULE;
    long location = allocator.allocate(length);
    if (location == Allocator.NO_SPACE) {
      // Some that count as free to the model wait for pins that share a count.
      assertThat(medium.longestRun()).as("step %d", step).isLessThan(granules);
      allocator.recordShortage(length, Allocator.Shortage.FRAGMENTED);
      return;
    }
    assertThat(location).isBetween(0L, (1L << 32) - 1);
    assertThat(allocator.locations().slotBytes(location)).isEqualTo(granules * GRANULE);
    medium.take((int) (allocator.locations().byteOffset(location) / GRANULE), granules, location);
    blocks.add(new Taken(location, 0, false));
    assertThat(allocator.isTaken(location)).isTrue();
  }

  private static void spare(RunAllocator allocator, NaiveMedium medium, long location, int length) {
    int start = (int) allocator.locations().granule(location);
    int run = medium.runIfFreed(start, allocator.locations().slotBytes(location) / GRANULE);
    assertThat(allocator.wouldNotHelp(location, length)).isEqualTo(run < (length + 255) / GRANULE);
  }

  /** What is released and not pinned is free, unless a pin of another block shares its count. */
  private static void freeIfGone(RunAllocator allocator, NaiveMedium medium, List<Taken> blocks) {
    for (int j = blocks.size() - 1; j >= 0; j--) {
      Taken block = blocks.get(j);
      boolean gone = block.released && block.pins == 0 && allocator.isUnpinned(block.location);
      if (gone) {
        int start = (int) allocator.locations().granule(block.location);
        medium.free(start, allocator.locations().slotBytes(block.location) / GRANULE);
        blocks.remove(j);
      }
    }
  }

  /** Evicts as the background work would. */
  private static void drain(RunAllocator allocator, NaiveMedium medium, List<Taken> blocks) {
    int windows =
        allocator.beginDraining(
            visitor ->
                blocks.stream()
                    .filter(block -> !block.released && allocator.isUnpinned(block.location))
                    .forEach(block -> visitor.accept(block.location)));
    for (int i = blocks.size() - 1; i >= 0; i--) {
      Taken block = blocks.get(i);
      if (allocator.isDraining(block.location)) {
        assertThat(block.pins).isZero();
        assertThat(block.released).isFalse();
        allocator.release(block.location);
        medium.free(
            (int) allocator.locations().granule(block.location),
            allocator.locations().slotBytes(block.location) / GRANULE);
        blocks.remove(i);
      }
    }
    allocator.endDraining();
    assertThat(windows == 0 || medium.longestRun() > 0).isTrue();
  }

  private static void assertUsed(
      RunAllocator allocator, NaiveMedium medium, List<Taken> blocks, int step) {
    if (step % 16 == 0) {
      assertThat(allocator.usedBytes()).as("step %d", step).isEqualTo(medium.usedBytes());
      Map<Long, Taken> byLocation = new HashMap<>();
      blocks.forEach(block -> assertThat(byLocation.put(block.location, block)).isNull());
    }
  }

  static List<Long> fill(Allocator allocator, int length) {
    List<Long> locations = new ArrayList<>();
    for (long at = allocator.allocate(length); at >= 0; at = allocator.allocate(length)) {
      locations.add(at);
    }
    return locations;
  }

  @Test
  void shouldUseAllOfTheMediumForOneSizeAlsoWhereItsEndIsNoWholeExtent() {
    RunAllocator allocator = allocator(EXTENT + EXTENT / 2);
    assertThat(fill(allocator, MAX_BLOCK)).hasSize((EXTENT + EXTENT / 2) / MAX_BLOCK);
    assertThat(allocator.usedBytes()).isEqualTo(allocator.locations().capacityBytes());
    assertThat(allocator.metadataBytes()).as("no free runs, no pins").isLessThan(200);
  }

  @Test
  void shouldTakeTheShortestRunThatIsLongEnough() {
    RunAllocator allocator = allocator(2 * EXTENT);
    List<Long> blocks = fill(allocator, 1024);
    allocator.release(blocks.get(3));
    allocator.release(blocks.get(4)); // One run of 2048.
    allocator.release(blocks.get(40)); // In the other extent, the one that fits.

    assertThat(allocator.allocate(1000)).isEqualTo(blocks.get(40));
    assertThat(allocator.locations().byteOffset(allocator.allocate(2000)))
        .isEqualTo(allocator.locations().byteOffset(blocks.get(3)));
    assertThat(allocator.allocate(1)).isEqualTo(Allocator.NO_SPACE);
  }

  @Test
  void shouldNotFreeAPinnedSlotBeforeItsLastPinHasEnded() {
    RunAllocator allocator = allocator(EXTENT);
    List<Long> blocks = fill(allocator, MAX_BLOCK);
    long pinned = blocks.get(0);
    allocator.pin(pinned);
    allocator.pin(pinned);
    allocator.release(pinned);
    assertThat(allocator.allocate(1)).isEqualTo(Allocator.NO_SPACE);
    allocator.unpin(pinned);
    assertThat(allocator.allocate(1)).isEqualTo(Allocator.NO_SPACE);

    allocator.unpin(pinned);

    assertThat(allocator.allocate(MAX_BLOCK)).isEqualTo(pinned);
  }

  @Test
  void shouldFreeASlotForBlocksOfEachSizeThatFoundNoRoom() {
    RunAllocator allocator = allocator(EXTENT);
    List<Long> blocks = fill(allocator, MAX_BLOCK);
    for (int length : new int[] {256, 1000, MAX_BLOCK}) {
      assertThat(allocator.allocate(length)).isEqualTo(Allocator.NO_SPACE);
    }
    for (int length : new int[] {256, 1000, MAX_BLOCK}) {
      allocator.release(blocks.remove(0));
      assertThat(allocator.allocate(length)).isNotEqualTo(Allocator.NO_SPACE);
    }
  }

  @Test
  void shouldNotPassASlotOnToABlockOfAnotherSizeNorPastAWatch() {
    RunAllocator allocator = allocator(EXTENT);
    long location = allocator.allocate(1000);
    assertThat(allocator.fits(location, 1024)).isTrue();
    assertThat(allocator.fits(location, 1025)).isFalse();
    assertThat(allocator.fits(location, 768)).isFalse();
    allocator.observe(
        new Allocator.SlotObserver() {
          @Override
          public void freed(long freed, int slotBytes) {}

          @Override
          public void taken(long taken, int slotBytes) {}
        });
    assertThat(allocator.fits(location, 1024)).isFalse();
  }

  @Test
  void shouldRefusePinsBeyondItsCount() {
    RunAllocator allocator = allocator(EXTENT);
    long location = allocator.allocate(MAX_BLOCK);
    int pins = 0;
    while (allocator.pin(location)) {
      pins++;
    }
    assertThat(pins).isEqualTo(Allocator.MAX_PINS);
  }

  @Test
  void shouldRefuseToReleaseWhatIsFreeOrNone() {
    RunAllocator allocator = allocator(EXTENT);
    long location = allocator.allocate(1000);
    allocator.release(location);
    assertThatThrownBy(() -> allocator.release(location)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> allocator.release(location + EXTENT / GRANULE))
        .isInstanceOf(IllegalStateException.class);
    assertThat(allocator.usedBytes()).isZero();
  }

  @Test
  void shouldRefuseToReleaseASlotThatReachesIntoTheNextExtent() {
    RunAllocator allocator = allocator(2 * EXTENT);
    List<Long> blocks = fill(allocator, MAX_BLOCK);
    long across = blocks.get(0) + (EXTENT - MAX_BLOCK / 2) / GRANULE;
    assertThat(allocator.isTaken(across)).isFalse();
    assertThatThrownBy(() -> allocator.release(across)).isInstanceOf(IllegalStateException.class);
    assertThat(allocator.usedBytes()).isEqualTo(2 * EXTENT);
  }

  /** What is seen through a pin that was validated does not change, whatever is freed and taken. */
  @Test
  void shouldNeverHandOutWhatIsPinned() throws Exception {
    int readers = 3;
    int slots = 8;
    RunAllocator allocator = allocator(EXTENT);
    AtomicLongArray published = new AtomicLongArray(slots);
    AtomicLongArray bytes = new AtomicLongArray(EXTENT / GRANULE);
    for (int i = 0; i < slots; i++) {
      published.set(i, put(allocator, bytes, 1 + i));
    }
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger validated = new AtomicInteger();
    Race.run(
        readers + 1,
        thread -> {
          SplittableRandom random = new SplittableRandom(thread);
          for (int step = 0; thread == 0 ? step < 200_000 : !done.get(); step++) {
            int slot = random.nextInt(slots);
            long location = published.get(slot);
            if (thread == 0) {
              long next = put(allocator, bytes, 100 + step);
              if (next != Allocator.NO_SPACE) {
                published.set(slot, next);
                allocator.release(location);
              }
            } else if (location >= 0 && allocator.pin(location)) {
              long seen = bytes.get((int) allocator.locations().granule(location));
              if (published.get(slot) == location) {
                validated.incrementAndGet();
                seen = bytes.get((int) allocator.locations().granule(location));
                Thread.onSpinWait();
                assertThat(bytes.get((int) allocator.locations().granule(location)))
                    .isEqualTo(seen);
              }
              allocator.unpin(location);
            }
          }
          done.set(true);
        });
    assertThat(validated.get()).isPositive();
    for (int i = 0; i < slots; i++) {
      allocator.release(published.get(i));
    }
    assertThat(allocator.usedBytes()).as("nothing was lost").isZero();
  }

  private static long put(RunAllocator allocator, AtomicLongArray bytes, long stamp) {
    long location = allocator.allocate(MAX_BLOCK / 2);
    if (location != Allocator.NO_SPACE) {
      bytes.set((int) allocator.locations().granule(location), stamp);
    }
    return location;
  }
}
