// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HandedBlocksTest {
  private final List<Long> offered = new ArrayList<>();
  private final HandedBlocks handed =
      new HandedBlocks(block -> offered.add(block.key().getOffset()));
  private final HFileBlock block = SampleHFile.block(BlockType.DATA);

  private boolean take(long offset) {
    return handed.take(new BlockCacheKey("11", offset), 7, block, 100);
  }

  @Test
  void shouldLeaveBlocksToTheirReadersWhileItIsShut() {
    assertThat(take(0)).isFalse();
    handed.open();
    handed.shut();
    assertThat(take(0)).isFalse();
    assertThat(block.refCnt()).isEqualTo(1);
    assertThat(offered).isEmpty();
  }

  @Test
  void shouldOfferWhatItTookOver() {
    handed.open();
    assertThat(take(0)).isTrue();
    assertThat(take(4096)).isTrue();
    assertThat(block.refCnt()).as("its reader's, and one for each").isEqualTo(3);
    assertThat(offered).isEmpty();
    handed.offerAll();
    assertThat(offered).containsExactly(0L, 4096L);
    assertThat(block.refCnt()).isEqualTo(1);
    assertThat(take(8192)).isTrue();
    handed.shut();
    assertThat(offered).containsExactly(0L, 4096L, 8192L);
    assertThat(block.refCnt()).isEqualTo(1);
  }

  @Test
  void shouldTakeSoManyAtMost() {
    handed.open();
    int taken = 0;
    while (take(taken)) {
      taken++;
    }
    assertThat(taken).isEqualTo(32);
    assertThat(block.refCnt()).isEqualTo(33);
    handed.shut();
    assertThat(offered).hasSize(32);
    assertThat(block.refCnt()).isEqualTo(1);
  }

  @Test
  void shouldLetGoOfABlockThatCanNotBeOffered() {
    HandedBlocks failing =
        new HandedBlocks(
            each -> {
              throw new IllegalStateException("as the test wants it");
            });
    failing.open();
    assertThat(failing.take(new BlockCacheKey("11", 0), 7, block, 100)).isTrue();
    assertThatThrownBy(failing::offerAll).isInstanceOf(IllegalStateException.class);
    assertThat(block.refCnt()).isEqualTo(1);
  }

  /** Takes a block in the middle of carrying, which stays for the end. */
  private final class Taking implements Rewrite {
    final CompletableFuture<Boolean> taken = new CompletableFuture<>();

    @Override
    public @Nullable PinnedBlock read(long fileId, long offset) {
      return null;
    }

    @Override
    public void wrote(long fileId, long offset, int lengthBytes, double keyLookups) {}

    @Override
    public int carry(OutputReader outputs) {
      take(0);
      outputs.read(1, 0, 100);
      assertThat(offered).as("before the next block is read").containsExactly(0L);
      taken.complete(take(4096));
      return 0;
    }
  }

  @Test
  void shouldBeOpenWhileHotBlocksAreReadBack() throws Exception {
    try (BlockCache cache = BlockCache.builder().nativeMemory(1 << 20).build();
        CompactionHeat heat = new CompactionHeat(cache, handed)) {
      Taking rewrite = new Taking();
      StoreFileNames names = new StoreFileNames(cache, new FileIdRegistry());
      heat.carry(rewrite, new CarriedBlocks(names, new BlockPayload(ReadMode.COPY)));
      assertThat(rewrite.taken.get(1, TimeUnit.MINUTES)).isTrue();
      LocalCluster.await("the end", () -> block.refCnt() == 1);
    }
    assertThat(offered).containsExactly(0L, 4096L);
    assertThat(take(8192)).isFalse();
  }
}
