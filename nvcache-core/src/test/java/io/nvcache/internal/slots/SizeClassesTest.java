// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.internal.index.BucketLayout;
import org.junit.jupiter.api.Test;

final class SizeClassesTest {
  @Test
  void shouldHoldEveryLengthInTheSmallestSlotThatIsLongEnough() {
    SizeClasses sizes = SizeClasses.evenParts(256, 1 << 20, 100_000);
    for (int length = 1; length <= 100_000; length++) {
      int sizeClass = sizes.classOf(length);
      assertThat(sizes.slotBytes(sizeClass)).isGreaterThanOrEqualTo(length);
      if (sizeClass > 0) {
        assertThat(sizes.slotBytes(sizeClass - 1)).isLessThan(length);
      }
    }
  }

  @Test
  void shouldKeepSlotsOnGranulesAndTheirSlackInSixteenBits() {
    for (int granule : new int[] {64, 256, 4096, 65536}) {
      SizeClasses sizes = SizeClasses.evenParts(granule, 128 << 20, 16 << 20);
      for (int i = 0; i < sizes.count(); i++) {
        assertThat(sizes.slotBytes(i) % granule).isZero();
        int below = i == 0 ? 0 : sizes.slotBytes(i - 1);
        assertThat(sizes.slotBytes(i) - below - 1).isBetween(0, BucketLayout.MAX_SLACK_BYTES);
      }
    }
  }

  @Test
  void shouldWasteLittleOfAnExtentOnAverage() {
    SizeClasses sizes = SizeClasses.evenParts(256, 2 << 20, 256 << 10);
    double wasted = 0;
    int lengths = 0;
    for (int length = 4096; length <= 256 << 10; length += 8) {
      int slot = sizes.slotBytes(sizes.classOf(length));
      int slots = (2 << 20) / slot;
      wasted += 1 - (double) slots * length / (2 << 20);
      lengths++;
    }
    assertThat(wasted / lengths).isLessThan(0.05);
  }

  @Test
  void shouldHoldEveryLengthInTheSmallestFineSlot() {
    SizeClasses sizes = SizeClasses.fine(256, 1 << 20, 256);
    assertThat(sizes.count()).isLessThanOrEqualTo(256);
    for (int length = 1; length <= 1 << 20; length += 7) {
      int sizeClass = sizes.classOf(length);
      int slot = sizes.slotBytes(sizeClass);
      assertThat(slot).isBetween(length, length + Math.max(255, length / 32));
      assertThat(sizeClass == 0 || sizes.slotBytes(sizeClass - 1) < length).isTrue();
    }
  }

  @Test
  void shouldHaveNoMoreFineSizesThanLocationsCanName() {
    for (int most : new int[] {64, 128, 256, 1024}) {
      SizeClasses sizes = SizeClasses.fine(256, 1 << 20, most);
      assertThat(sizes.count()).isBetween(most / 4, most);
      assertThat(sizes.slotBytes(sizes.count() - 1)).isEqualTo(1 << 20);
    }
  }
}
