// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static io.nvcache.internal.slots.RunAllocatorTest.EXTENT;
import static io.nvcache.internal.slots.RunAllocatorTest.MAX_BLOCK;
import static io.nvcache.internal.slots.RunAllocatorTest.allocator;
import static io.nvcache.internal.slots.RunAllocatorTest.fill;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a small medium gives up for blocks that find no room. */
final class RunDrainingTest {
  private static int beginDraining(Allocator allocator, List<Long> movable) {
    return allocator.beginDraining(visitor -> movable.forEach(visitor::accept));
  }

  @Test
  void shouldEmptyAWindowOfTheSizeThatHasGoneOutOfUse() {
    RunAllocator allocator = allocator(64 * MAX_BLOCK);
    List<Long> medium = fill(allocator, 1024);
    List<Long> small = new ArrayList<>();
    for (int i = 128; i < 160; i++) { // One extent's.
      allocator.release(medium.get(i));
    }
    for (long at = allocator.allocate(256); at >= 0; at = allocator.allocate(256)) {
      small.add(at);
    }
    List<Long> all = new ArrayList<>(medium.subList(0, 128));
    all.addAll(medium.subList(160, medium.size()));
    all.addAll(small);
    for (int i = 0; !allocator.wantsDraining(); i++) {
      assertThat(allocator.wouldNotHelp(small.get(i % small.size()), MAX_BLOCK)).isTrue();
    }

    assertThat(beginDraining(allocator, all)).isPositive();

    List<Long> draining = all.stream().filter(allocator::isDraining).toList();
    assertThat(draining).isNotEmpty().allMatch(small::contains);
    assertThat(allocator.fits(draining.get(0), 256)).as("a slot to be emptied").isFalse();
    assertThat(allocator.fits(medium.get(0), 1024)).as("another").isTrue();
    draining.forEach(allocator::release);
    assertThat(allocator.allocate(256)).as("while it drains").isEqualTo(Allocator.NO_SPACE);
    assertThat(allocator.allocate(MAX_BLOCK)).as("so are all").isEqualTo(Allocator.NO_SPACE);
    allocator.endDraining();
    assertThat(allocator.allocate(MAX_BLOCK)).isNotEqualTo(Allocator.NO_SPACE);
    assertThat(allocator.wantsDraining()).isFalse();
  }

  @Test
  void shouldNotHoldASizeForOutOfUseThatStillComes() {
    RunAllocator allocator = allocator(64 * MAX_BLOCK);
    List<Long> small = fill(allocator, 256);
    for (int i = 0; i < 10_000; i++) {
      assertThat(allocator.wouldNotHelp(small.get(i % small.size()), MAX_BLOCK)).isTrue();
      if (i % 4 == 0) { // One comes for each four that are spared.
        allocator.release(small.get(0));
        small.set(0, allocator.allocate(256));
      }
      assertThat(allocator.wantsDraining()).isFalse();
    }
  }

  @Test
  void shouldEmptyA64thOfTheMediumAtMostHoweverManyBlocksFoundNoRoom() {
    RunAllocator allocator = allocator(256 * MAX_BLOCK);
    List<Long> small = fill(allocator, 256);
    for (int i = 0; i < 1000; i++) {
      allocator.recordShortage(MAX_BLOCK, Allocator.Shortage.FRAGMENTED);
    }
    assertThat(beginDraining(allocator, small)).isEqualTo(256 / 64);
    allocator.endDraining();
    assertThat(beginDraining(allocator, small)).as("no block asks any more").isZero();
  }

  @Test
  void shouldPassOverWhatCannotBeEvicted() {
    RunAllocator allocator = allocator(2 * EXTENT);
    List<Long> small = fill(allocator, 256);
    allocator.release(small.get(5));
    allocator.recordShortage(MAX_BLOCK, Allocator.Shortage.FRAGMENTED);
    // All but every tenth, so that no window is without one; and of the other extent all.
    List<Long> movable =
        small.stream()
            .filter(at -> at != (long) small.get(5))
            .filter(at -> allocator.locations().extentNumber(at) == 1 || at % 10 != 0)
            .toList();

    assertThat(beginDraining(allocator, movable)).isEqualTo(1);

    assertThat(small.stream().filter(allocator::isDraining))
        .isNotEmpty()
        .allMatch(at -> allocator.locations().extentNumber(at) == 1);
    allocator.endDraining();
    allocator.recordShortage(MAX_BLOCK, Allocator.Shortage.FRAGMENTED);
    assertThat(allocator.beginDraining(visitor -> {})).as("nothing can be moved").isZero();
  }

  @Test
  void shouldEmptyNothingWhereThereIsRoomByNow() {
    RunAllocator allocator = allocator(EXTENT);
    List<Long> blocks = fill(allocator, MAX_BLOCK);
    allocator.recordShortage(MAX_BLOCK, Allocator.Shortage.FRAGMENTED);
    allocator.release(blocks.get(2));
    assertThat(beginDraining(allocator, blocks)).isZero();
    assertThat(allocator.wantsDraining()).isFalse();
  }
}
