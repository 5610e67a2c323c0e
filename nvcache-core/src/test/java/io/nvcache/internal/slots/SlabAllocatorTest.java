// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.internal.space.Sizing;
import io.nvcache.testing.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SlabAllocatorTest {
  private static final int GRANULE = 256;
  private static final int EXTENT = 32 << 10;
  private static final int MAX_BLOCK = 4096;

  private static SlabAllocator allocator(int extents) {
    return new SlabAllocator(
        new Sizing(
            Sizing.Cut.SLABS, GRANULE, EXTENT, (long) extents * EXTENT, MAX_BLOCK, MAX_BLOCK));
  }

  @Test
  void shouldNeverOverlapSlotsNorLeaveTheMedium() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    SlabAllocator allocator = allocator(16);
    TreeMap<Long, Integer> taken = new TreeMap<>();
    List<Long> locations = new ArrayList<>();
    long used = 0;
    for (int i = 0; i < 200_000; i++) {
      if (random.nextInt(100) < 52 || locations.isEmpty()) {
        int length = 1 + random.nextInt(MAX_BLOCK);
        long location = allocator.allocate(length);
        if (location == Allocator.NO_SPACE) {
          continue;
        }
        int slot = allocator.locations().slotBytes(location);
        assertThat(slot).isGreaterThanOrEqualTo(length);
        assertDisjoint(taken, allocator.locations().byteOffset(location), slot);
        taken.put(allocator.locations().byteOffset(location), slot);
        locations.add(location);
        used += share(slot);
      } else {
        long location = locations.remove(random.nextInt(locations.size()));
        used -= share(taken.remove(allocator.locations().byteOffset(location)));
        allocator.release(location);
      }
      assertThat(allocator.usedBytes()).as("step %d, seed %d", i, seed).isEqualTo(used);
    }
    locations.forEach(allocator::release);
    assertThat(allocator.usedBytes()).isZero();
  }

  @Test
  void shouldLoseNoExtentForWantOfHeap() throws Exception {
    assertThat(ChildJvm.run(List.of("-Xmx48m", "-XX:+UseSerialGC"), ScarceHeap.class))
        .contains("failed 4, allocated 2");
  }

  /** What a slot counts for: its part of the extent. */
  private static int share(int slotBytes) {
    return EXTENT / (EXTENT / slotBytes);
  }

  private static void assertDisjoint(NavigableMap<Long, Integer> taken, long offset, int length) {
    assertThat(offset).isBetween(0L, 16L * EXTENT - length);
    Map.Entry<Long, Integer> below = taken.floorEntry(offset);
    Map.Entry<Long, Integer> above = taken.ceilingEntry(offset);
    assertThat(below == null || below.getKey() + below.getValue() <= offset).isTrue();
    assertThat(above == null || offset + length <= above.getKey()).isTrue();
  }

  @Test
  void shouldUseAllOfTheMediumForOneSize() {
    SlabAllocator allocator = allocator(4);
    int blocks = 0;
    while (allocator.allocate(4096) != Allocator.NO_SPACE) {
      blocks++;
    }
    assertThat(blocks).isEqualTo(4 * EXTENT / 4096);
    assertThat(allocator.isBelow(0.99)).isFalse();
    assertThat(allocator.usedBytes()).isEqualTo(allocator.locations().capacityBytes());
  }

  @Test
  void shouldGiveAnEmptiedExtentToAnotherClass() {
    SlabAllocator allocator = allocator(1);
    long location = allocator.allocate(4096);
    assertThat(allocator.allocate(256)).isEqualTo(Allocator.NO_SPACE);

    allocator.release(location);

    assertThat(allocator.allocate(256)).isNotEqualTo(Allocator.NO_SPACE);
  }

  @Test
  void shouldFreeASlotOnlyWithItsLastReference() {
    SlabAllocator allocator = allocator(1);
    long location = allocator.allocate(4096);
    assertThat(allocator.pin(location)).isTrue();
    allocator.release(location);
    assertThat(allocator.usedBytes()).isEqualTo(4096);
    allocator.release(location);
    assertThat(allocator.usedBytes()).isZero();
    assertThat(allocator.pin(location)).as("a free slot").isFalse();
  }

  @Test
  void shouldReportTheSlotAsFreedWhenAStalePinFromWithinItEndsLast() {
    SlabAllocator allocator = allocator(1);
    List<Long> freed = new ArrayList<>();
    allocator.observe(
        new Allocator.SlotObserver() {
          @Override
          public void freed(long location, int slotBytes) {
            freed.add(location);
          }

          @Override
          public void taken(long location, int slotBytes) {}
        });
    allocator.allocate(1024);
    long stale = allocator.allocate(1024); // Where a reader saw a block before the cut.
    allocator.release(stale);
    allocator.release(0);
    long owner = allocator.allocate(MAX_BLOCK);
    freed.clear();
    assertThat(stale).isStrictlyBetween(owner, owner + MAX_BLOCK / GRANULE);

    assertThat(allocator.pin(stale)).isTrue();
    allocator.release(owner);
    assertThat(freed).isEmpty();
    allocator.unpin(stale);

    assertThat(freed).containsExactly(owner);
  }

  @Test
  void shouldRefuseReferencesBeyondItsCount() {
    SlabAllocator allocator = allocator(1);
    long location = allocator.allocate(4096);
    int retained = 0;
    while (allocator.pin(location)) {
      retained++;
    }
    assertThat(retained).isEqualTo(254);
    assertThat(allocator.references(location)).isEqualTo(255);
  }

  @Test
  void shouldRefuseToReleaseWhatLiesInNoExtent() {
    assertThatThrownBy(() -> allocator(1).release(0)).isInstanceOf(IllegalStateException.class);
  }

  private static int beginDraining(Allocator allocator) {
    return allocator.beginDraining(movable -> {});
  }

  private static List<Long> fill(SlabAllocator allocator, int length) {
    List<Long> locations = new ArrayList<>();
    for (long at = allocator.allocate(length); at >= 0; at = allocator.allocate(length)) {
      locations.add(at);
    }
    return locations;
  }

  private static void releaseDraining(SlabAllocator allocator, List<Long> locations) {
    locations.removeIf(
        location -> {
          boolean draining = allocator.isDraining(location);
          if (draining) {
            allocator.release(location);
          }
          return draining;
        });
  }

  @Test
  void shouldDrainTheEmptiestExtentForAClassThatStarves() {
    SlabAllocator allocator = allocator(2);
    List<Long> small = fill(allocator, 256);
    for (int i = 0; i < small.size() / 4; i++) {
      allocator.release(small.remove(small.size() - 1));
    }
    long emptier = small.get(small.size() - 1);
    long fuller = small.get(0);
    assertThat(allocator.wantsDraining()).isFalse();
    allocator.recordShortage(4096, Allocator.Shortage.FRAGMENTED);
    assertThat(allocator.wantsDraining()).isTrue();

    assertThat(beginDraining(allocator)).isEqualTo(1);

    assertThat(allocator.isDraining(emptier)).isTrue();
    assertThat(allocator.isDraining(fuller)).isFalse();
    releaseDraining(allocator, small);
    allocator.endDraining();
    assertThat(allocator.allocate(4096)).isNotEqualTo(Allocator.NO_SPACE);
  }

  /** An emptied slot of the index keeps its location. */
  @Test
  void shouldCountNoReferencesOfALocationThatIsGone() {
    for (int length = 257; length <= MAX_BLOCK; length += 256) {
      SlabAllocator allocator = allocator(1);
      List<Long> small = fill(allocator, 256);
      assertThat(allocator.pin(small.get(0))).isTrue();
      allocator.unpin(small.get(0));
      small.forEach(allocator::release);
      assertThat(allocator.allocate(length)).isNotEqualTo(Allocator.NO_SPACE);

      long last = small.get(small.size() - 1);
      assertThat(allocator.references(last)).as("length %d", length).isZero();
      assertThat(allocator.isUnpinned(last)).isFalse();
    }
  }

  @Test
  void shouldTakeAnExtentFromAClassWhoseVictimsWereSparedOftenEnough() {
    SlabAllocator allocator = allocator(2);
    List<Long> small = fill(allocator, 256);
    assertThat(allocator.wouldNotHelp(small.get(0), 4096)).as("its class has no room").isFalse();
    allocator.release(small.remove(0));
    for (int i = 0; i < 2 * EXTENT / 256; i++) {
      assertThat(allocator.wantsDraining()).isFalse();
      assertThat(allocator.wouldNotHelp(small.get(i % small.size()), 4096)).isTrue();
    }

    assertThat(allocator.wantsDraining()).isTrue();
    assertThat(beginDraining(allocator)).isEqualTo(1);
    releaseDraining(allocator, small);
    allocator.endDraining();

    assertThat(allocator.allocate(4096)).isNotEqualTo(Allocator.NO_SPACE);
    assertThat(allocator.wantsDraining()).as("the debt is paid").isFalse();
  }

  @Test
  void shouldGoOnWithAnExtentThatCouldNotBeEmptied() {
    SlabAllocator allocator = allocator(1);
    List<Long> small = fill(allocator, 256);
    allocator.recordShortage(4096, Allocator.Shortage.FRAGMENTED);
    assertThat(beginDraining(allocator)).isEqualTo(1);
    long late = small.remove(0);
    releaseDraining(allocator, small);

    allocator.endDraining();

    assertThat(allocator.allocate(4096)).isEqualTo(Allocator.NO_SPACE);
    assertThat(allocator.allocate(256)).isNotEqualTo(Allocator.NO_SPACE);
    allocator.release(late);
  }

  @Test
  void shouldNotDrainInVainAgainBeforeASlotIsFreed() {
    SlabAllocator allocator = allocator(2);
    List<Long> small = fill(allocator, 256);
    allocator.recordShortage(4096, Allocator.Shortage.FRAGMENTED);
    beginDraining(allocator);
    long kept =
        small.stream().filter(location -> allocator.isDraining(location)).findFirst().orElseThrow();
    small.remove(kept);
    releaseDraining(allocator, small);
    allocator.endDraining();

    allocator.recordShortage(4096, Allocator.Shortage.FRAGMENTED);
    assertThat(beginDraining(allocator)).isEqualTo(1);
    assertThat(allocator.isDraining(kept)).as("the emptiest").isFalse();
    releaseDraining(allocator, small);
    allocator.endDraining();
    assertThat(fill(allocator, 4096)).hasSize(EXTENT / 4096);

    allocator.recordShortage(4096, Allocator.Shortage.FRAGMENTED);
    assertThat(beginDraining(allocator)).as("only what can't be emptied is left").isZero();
    allocator.release(allocator.allocate(256));
    allocator.recordShortage(4096, Allocator.Shortage.FRAGMENTED);
    assertThat(beginDraining(allocator)).as("as far as it knows").isEqualTo(1);
    allocator.release(kept);
    allocator.endDraining();
    assertThat(allocator.allocate(4096)).isNotEqualTo(Allocator.NO_SPACE);
  }

  @Test
  void shouldPassOverExtentsWithPinnedBlocks() {
    SlabAllocator allocator = allocator(1);
    List<Long> small = fill(allocator, 256);
    allocator.pin(small.get(7));
    allocator.recordShortage(4096, Allocator.Shortage.FRAGMENTED);

    assertThat(beginDraining(allocator)).isZero();
  }
}
