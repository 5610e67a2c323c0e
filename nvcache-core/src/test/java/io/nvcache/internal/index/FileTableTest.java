// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
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

  /** As long as there is memory: then lists nothing, or all but says that it did not. */
  private static final class OutOfMemory extends ExtraSegments {
    private boolean fails;
    private boolean listsFirst;

    @Override
    void add(long fileId, int segment) {
      if (!fails || listsFirst) {
        super.add(fileId, segment);
      }
      if (fails) {
        throw new OutOfMemoryError("injected");
      }
    }
  }

  @Test
  void shouldGiveNoNumberThatIsNotListedToBeDropped() {
    OutOfMemory further = new OutOfMemory();
    FileTable files = new FileTable(2, 0, further);
    files.acquire(1, 0);
    for (int i = 0; i < 4; i++) { // More often than there are numbers.
      further.fails = true;
      further.listsFirst = i % 2 == 1;
      assertThatThrownBy(() -> files.acquire(1, 7)).isInstanceOf(OutOfMemoryError.class);

      assertThat(files.find(1, 7)).isEqualTo(FileTable.NONE);
      assertThat(further.of(1)).isEmpty();
      assertThat(files.blocks(1)).isEqualTo(1);
      assertThat(files.liveFiles()).isEqualTo(1);
    }

    further.fails = false;
    assertThat(files.acquire(1, 7)).as("no number was lost").isNotEqualTo(FileTable.NONE);
    files.drop(1);
    assertThat(files.find(1, 7)).isEqualTo(FileTable.NONE);
    assertThat(files.liveFiles()).isZero();
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

  @Test
  void shouldForgetFilesWithoutBlocks() {
    FileTable files = new FileTable();
    int cached = 20_000;
    long most = 0;
    for (int i = 0; i < 1_000_000; i++) {
      assertThat(files.acquire(i, i % 3)).isPositive();
      if (i >= cached) {
        long old = i - cached;
        files.release(files.find(old, (int) (old % 3)));
      }
      most = Math.max(most, files.metadataBytes());
    }
    assertThat(files.blocks()).isEqualTo(cached);
    for (int i = 1_000_000 - cached; i < 1_000_000; i++) {
      assertThat(files.blocks(i)).as("file %d", i).isOne();
    }
    assertThat(files.nextNumber()).as("numbers given").isLessThan(3 * cached);
    assertThat(most).isLessThan(cached * 300L);
  }

  /** A number takes 16 bytes, and 4 in an array that grows by half. */
  @Test
  void shouldGrowLinearly() {
    int numbers = 1 << 21;
    FileNumbers files = new FileNumbers(Integer.MAX_VALUE >>> 8);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (int taken = 0; taken < numbers; taken++) {
      files.take();
    }
    long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(allocated).as("bytes that were allocated").isLessThan(35L * numbers);
  }
}
