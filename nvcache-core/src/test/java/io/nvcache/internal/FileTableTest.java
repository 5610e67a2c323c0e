// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FileTableTest {
  @Test
  void shouldKeepAFilesNumberWhileItHasBlocks() {
    FileTable files = new FileTable();
    int number = files.acquire(42, 0);

    assertThat(files.acquire(42, 0)).isEqualTo(number);
    assertThat(files.find(42, 0)).isEqualTo(number);
    assertThat(files.find(42, 1)).isEqualTo(FileTable.NONE);
    assertThat(files.find(43, 0)).isEqualTo(FileTable.NONE);
  }

  @Test
  void shouldGiveADroppedFilesNumberAgainOnlyAfterItsLastBlock() {
    FileTable files = new FileTable();
    int number = files.acquire(1, 0);
    files.acquire(1, 0);
    files.drop(1);

    assertThat(files.find(1, 0)).isEqualTo(FileTable.NONE);
    assertThat(files.isDropped(number)).isTrue();
    assertThat(files.deadBlocks()).isEqualTo(2);
    assertThat(files.acquire(2, 0)).isNotEqualTo(number);
    files.release(number);
    assertThat(files.acquire(3, 0)).isNotEqualTo(number);
    files.release(number);

    assertThat(files.deadBlocks()).isZero();
    assertThat(files.acquire(4, 0)).isEqualTo(number);
    assertThat(files.isDropped(number)).isFalse();
  }

  @Test
  void shouldDropAllSegmentsOfALongFile() {
    FileTable files = new FileTable();
    files.acquire(9, 0);
    files.acquire(9, 5);
    files.acquire(9, 1 << 22);
    files.acquire(8, 5);

    files.drop(9);

    assertThat(files.find(9, 0)).isEqualTo(FileTable.NONE);
    assertThat(files.find(9, 5)).isEqualTo(FileTable.NONE);
    assertThat(files.find(9, 1 << 22)).isEqualTo(FileTable.NONE);
    assertThat(files.find(8, 5)).isNotEqualTo(FileTable.NONE);
    assertThat(files.liveFiles()).isEqualTo(1);
  }

  @Test
  void shouldTakeNumbersFromFilesWithoutBlocksWhenAllAreGiven() {
    FileTable files = new FileTable(2);
    int first = files.acquire(1, 0);
    files.acquire(2, 0);
    assertThat(files.acquire(3, 0)).isEqualTo(FileTable.NONE);

    files.release(first);

    assertThat(files.find(1, 0)).as("still there, in case it is read again").isEqualTo(first);
    assertThat(files.acquire(3, 0)).isEqualTo(first);
    assertThat(files.find(1, 0)).isEqualTo(FileTable.NONE);
  }

  @Test
  void shouldAgreeWithAMap() {
    long seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    FileTable files = new FileTable();
    Map<Long, Integer> model = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      long fileId = random.nextLong(500);
      if (random.nextInt(3) > 0) {
        int number = files.acquire(fileId, 0);
        Integer known = model.putIfAbsent(fileId, number);
        assertThat(known == null || known == number).as("step %d, seed %d", i, seed).isTrue();
      } else {
        Integer number = model.remove(fileId);
        files.drop(fileId);
        while (number != null && files.isDropped(number) && files.deadBlocks() > 0) {
          files.release(number);
        }
      }
      assertThat(files.find(fileId, 0)).isEqualTo(model.getOrDefault(fileId, FileTable.NONE));
    }
    assertThat(files.liveFiles()).isEqualTo(model.size());
    assertThat(model.values()).doesNotHaveDuplicates();
  }
}
