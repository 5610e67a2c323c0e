// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Rewrite;
import io.nvcache.hbase.LocalCluster;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeldBlocksTest {
  private static final int BLOCK = 100;
  private static final long FILE = 7;

  private final HeldBlocks.Memory memory = new HeldBlocks.Memory(3 * BLOCK);
  private final HeldBlocks blocks = new HeldBlocks(memory);
  private int copied;

  private void offer(HeldBlocks to, int number, double heat) {
    to.offer(
        FILE,
        number,
        heat,
        BLOCK,
        () -> {
          copied++;
          return ByteBuffer.allocate(BLOCK).putInt(0, number);
        });
  }

  private static int[] held(HeldBlocks by) {
    return IntStream.range(0, 10).filter(number -> by.get(FILE, number) != null).toArray();
  }

  @Test
  void shouldHoldTheHottest() {
    double[] heat = {13, 11, 15, 12, 19, 14, 10.5, 15};
    for (int number = 0; number < heat.length; number++) {
      offer(blocks, number, heat[number]);
    }
    assertThat(held(blocks)).containsExactly(2, 4, 7);
    assertThat(copied).as("block 6 is colder than all that are held").isEqualTo(7);
  }

  @Test
  void shouldGiveWhatWasWritten() {
    ByteBuffer written = ByteBuffer.allocate(BLOCK);
    blocks.offer(FILE, 3, 10, BLOCK, () -> written.putInt(0, 33).rewind());
    written.putInt(0, 44); // As the thread's next block.
    @Nullable ByteBuffer held = blocks.get(FILE, 3);
    assertThat(held).isNotNull();
    assertThat(held.remaining()).isEqualTo(BLOCK);
    assertThat(held.getInt()).isEqualTo(33);
    assertThat(blocks.get(FILE, 3).remaining()).as("each reader has its own").isEqualTo(BLOCK);
    assertThat(blocks.get(FILE + 1, 3)).isNull();
  }

  @Test
  void shouldHoldNoBlockThatIsNotCarried() {
    offer(blocks, 0, 1.9);
    assertThat(held(blocks)).isEmpty();
    offer(blocks, 0, Rewrite.LEAST_HEAT);
    assertThat(held(blocks)).containsExactly(0);
  }

  @Test
  void shouldDropNothingForABlockThatHasNoRoomEvenSo() {
    offer(blocks, 1, 10);
    blocks.offer(FILE, 2, 90, 4 * BLOCK, () -> ByteBuffer.allocate(4 * BLOCK));
    assertThat(held(blocks)).containsExactly(1);
  }

  @Test
  void shouldHoldABlockOnce() {
    offer(blocks, 0, 10);
    offer(blocks, 0, 20);
    offer(blocks, 1, 10);
    offer(blocks, 2, 10);
    assertThat(held(blocks)).containsExactly(0, 1, 2);
  }

  @Test
  void shouldShareTheMemory() {
    HeldBlocks others = new HeldBlocks(memory);
    offer(others, 0, 10);
    offer(others, 1, 10);
    offer(blocks, 2, 50);
    offer(blocks, 3, 90);
    assertThat(held(blocks)).as("of its own, it has the hottest").containsExactly(3);
    assertThat(held(others)).as("which are not another's to drop").containsExactly(0, 1);

    others.drop();
    offer(blocks, 4, 10);
    offer(blocks, 5, 10);
    assertThat(held(others)).isEmpty();
    assertThat(held(blocks)).containsExactly(3, 4, 5);
  }

  @Test
  void shouldHoldNothingOnceDropped() {
    blocks.drop();
    offer(blocks, 0, 10);
    assertThat(held(blocks)).isEmpty();
    assertThat(copied).isZero();
  }

  /** A compaction that fails leaves what it holds to the collector. */
  @Test
  void shouldFreeTheMemoryOfTheForgotten() throws InterruptedException {
    fill(new HeldBlocks(memory));
    LocalCluster.await(
        "room",
        () -> {
          System.gc();
          offer(blocks, 5, 10);
          return blocks.get(FILE, 5) != null;
        });
  }

  private void fill(HeldBlocks forgotten) {
    for (int number = 0; number < 3; number++) {
      offer(forgotten, number, 10);
    }
    assertThat(held(forgotten)).hasSize(3);
  }

  @Test
  void shouldHoldNothingWithoutMemory() {
    HeldBlocks none = new HeldBlocks(new HeldBlocks.Memory(0));
    offer(none, 0, 90);
    assertThat(held(none)).isEmpty();
  }
}
