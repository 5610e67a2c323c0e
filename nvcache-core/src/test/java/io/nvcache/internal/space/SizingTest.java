// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SizingTest {
  @ParameterizedTest
  @ValueSource(longs = {2 << 20, 64 << 20, 1L << 32, 1L << 33, 1L << 40, 3L << 40, 1L << 44})
  void shouldNumberAllOfTheMediumIn32BitsAndHoldTheLongestBlock(long capacity) {
    Sizing sizing = Sizing.of(capacity, 64, 64 << 10, 256 << 10);
    assertThat(capacity / sizing.granuleBytes()).isLessThanOrEqualTo(1L << 32);
    assertThat(sizing.extentBytes()).isGreaterThanOrEqualTo(8 * (256 << 10));
    assertThat(Integer.bitCount(sizing.extentBytes())).isEqualTo(1);
    assertThat(sizing.extentBytes()).isLessThanOrEqualTo((int) Math.min(capacity, 64 << 20));
  }

  @Test
  void shouldCutSlabsWhereLocationsHaveNoRoomForSizes() {
    assertThat(Sizing.of(4L << 30, 64, 16 << 10, 1 << 20).cut()).isEqualTo(Sizing.Cut.RUNS);
    assertThat(Sizing.of((4L << 30) + 1, 64, 16 << 10, 1 << 20).cut()).isEqualTo(Sizing.Cut.SLABS);
  }

  @ParameterizedTest
  @CsvSource({
    "65536, 4096",
    "4194304, 65536",
    "67108864, 1048576",
    "1073741824, 1048576",
    "1099511627776, 1048576"
  })
  void shouldTakeBlocksUpToA64thOfTheCapacityOrAMebibyte(long capacity, int longest) {
    Sizing sizing = Sizing.of(capacity, 1, 0, 0);
    assertThat(sizing.maxBlockBytes()).isEqualTo(longest);
    assertThat(sizing.suitsLongestBlocks()).isTrue();
  }

  @Test
  void shouldSayThatBlocksOfMoreThanA64thAreTooLongForAMix() {
    assertThat(Sizing.of(4 << 20, 1, 16 << 10, 64 << 10).suitsLongestBlocks()).isTrue();
    assertThat(Sizing.of(4 << 20, 1, 16 << 10, (64 << 10) + 1).suitsLongestBlocks()).isFalse();
    assertThat(Sizing.of(4 << 20, 1, 16 << 10, 512 << 10).suitsLongestBlocks()).isFalse();
    assertThatThrownBy(() -> Sizing.of(4 << 20, 1, 16 << 10, (512 << 10) + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lower maxBlockBytes, best to 65536");
  }

  @ParameterizedTest
  @CsvSource({
    "67108864, 4096, 16384",
    "67108864, 16384, 4096",
    "67108864, 32768, 4096",
    "67108864, 65536, 2560",
    "8589934592, 65536, 131072"
  })
  void shouldGiveTheIndexOfASmallMediumRoomForBlocksShorterThanTheMean(
      long capacity, int expectedBlockBytes, long blocks) {
    Sizing sizing = Sizing.of(capacity, 64, expectedBlockBytes, 1 << 20);
    assertThat(sizing.expectedBlocks()).isEqualTo(capacity / expectedBlockBytes);
    assertThat(sizing.indexSlots()).isEqualTo((long) Math.ceil(blocks / 0.85) + 128);
  }

  /** Whether or not the capacity is a power of two. */
  @ParameterizedTest
  @ValueSource(
      longs = {1 << 20, 9 << 20, (16 << 20) + 64, 24 << 20, 31 << 20, 32 << 20, 100L << 20})
  void shouldCutRegionsWhere64OfTheLongestBlocksFit(long capacity) {
    int longest = (int) (capacity / 64);
    Sizing sizing = Sizing.ofRegions(capacity, Sizing.MAX_REGION_BYTES, 4096, 0, longest);
    assertThat(sizing.extentBytes()).isGreaterThanOrEqualTo(2 * longest);
    assertThat(capacity / sizing.extentBytes()).isGreaterThanOrEqualTo(16);
    assertThatThrownBy(
            () -> Sizing.ofRegions(capacity, Sizing.MAX_REGION_BYTES, 4096, 0, longest + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("need at least " + (64 * (longest + 1)));
  }

  @Test
  void shouldKeepTheMediumsAlignment() {
    assertThat(Sizing.of(1 << 30, 4096, 4096, 4096).granuleBytes()).isEqualTo(4096);
    assertThat(Sizing.of(1 << 30, 65536, 4096, 4096).extentBytes())
        .isGreaterThanOrEqualTo(8 * 65536);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -64, 48, 1 << 17})
  void shouldRefuseAnAlignmentThatIsNone(int alignment) {
    assertThatThrownBy(() -> Sizing.of(1 << 30, alignment, 4096, 4096))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("alignment is " + alignment);
  }

  @ParameterizedTest
  @ValueSource(longs = {(1L << 48) + 1, 1L << 62, Long.MAX_VALUE})
  void shouldRefuseMoreThanOneCacheManages(long capacity) {
    assertThatThrownBy(() -> Sizing.of(capacity, 64, 16 << 20, 16 << 20))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use several");
  }

  @Test
  void shouldRefuseMoreBlocksThanAnIndexHolds() {
    assertThatThrownBy(() -> Sizing.of(1L << 44, 64, 4096, 4096))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("raise expectedBlockBytes from 4096");
  }
}
