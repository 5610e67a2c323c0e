// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockFileTest {
  @Test
  void shouldUseFreedPlacesOnlyAfterACheckpointThatBeganLater() {
    BlockFile file = new BlockFile(3);

    assertThat(file.move(1)).isEqualTo(1);
    assertThat(file.placeOf(1)).isEqualTo(3);
    file.beginCheckpoint();
    assertThat(file.move(2)).isEqualTo(2);
    assertThat(file.placeOf(2)).as("the checkpoint still needs place 1").isEqualTo(4);
    file.endCheckpoint();
    file.move(0);

    assertThat(file.placeOf(0)).isEqualTo(1);
    assertThat(file.highWaterMark()).isEqualTo(5);
    file.move(0);
    assertThat(file.placeOf(0)).as("place 2 was freed after it began").isEqualTo(5);
  }

  @Test
  void shouldGiveNewPagesAPlaceWhenTheyAreFirstWritten() {
    BlockFile file = new BlockFile(1);

    int page = file.addPage();

    assertThat(file.placeOf(page)).isEqualTo(BlockFile.NOWHERE);
    assertThat(file.move(page)).isEqualTo(BlockFile.NOWHERE);
    assertThat(file.placeOf(page)).isEqualTo(1);
    assertThat(file.pages()).isEqualTo(2);
  }
}
