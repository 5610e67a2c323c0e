// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizesOnDiskTest {
  @Test
  void shouldTellFilesAndBlocksApart() {
    SizesOnDisk sizes = new SizesOnDisk();
    for (int block = 0; block < 1000; block++) {
      sizes.add(1, 100L * block, block + 1);
      sizes.add(2, 100L * block, block + 2);
    }
    for (int block = 0; block < 1000; block++) {
      assertThat(sizes.of(1, 100L * block)).isEqualTo(block + 1);
      assertThat(sizes.of(2, 100L * block)).isEqualTo(block + 2);
      assertThat(sizes.of(1, 100L * block + 1)).isEqualTo(SizesOnDisk.UNKNOWN);
    }
    assertThat(sizes.of(3, 0)).isEqualTo(SizesOnDisk.UNKNOWN);
  }

  @Test
  void shouldNoteNoMoreThanItHasRoomFor() {
    SizesOnDisk sizes = new SizesOnDisk(3);
    for (int block = 0; block < 4; block++) {
      sizes.add(block % 2, block, 7);
    }
    assertThat(sizes.of(0, 0)).isEqualTo(7);
    assertThat(sizes.of(1, 1)).isEqualTo(7);
    assertThat(sizes.of(0, 2)).isEqualTo(7);
    assertThat(sizes.of(1, 3)).isEqualTo(SizesOnDisk.UNKNOWN);
  }

  @Test
  void shouldNotNoteWhatComesOutOfOrder() {
    SizesOnDisk sizes = new SizesOnDisk();
    sizes.add(1, 200, 7);
    sizes.add(1, 100, 8);
    sizes.add(1, 200, 9);
    assertThat(sizes.of(1, 100)).isEqualTo(SizesOnDisk.UNKNOWN);
    assertThat(sizes.of(1, 200)).isEqualTo(7);
  }
}
