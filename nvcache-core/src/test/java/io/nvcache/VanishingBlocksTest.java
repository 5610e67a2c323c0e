// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.testing.ArenaBuffer;
import io.nvcache.testing.ChildJvm;
import io.nvcache.tiered.DramValues;
import io.nvcache.tiered.TieredBlockCache;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a loader gives is kept as it was, though its memory goes; or it is not kept. */
final class VanishingBlocksTest {
  private static final int LENGTH = 4096;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(DramValues.class)
  void shouldGiveTheBytesOfAMappingOrItsFault(DramValues kind) throws Exception {
    assertThat(
            ChildJvm.run(
                VanishingBlocks.class, directory.resolve("blocks").toString(), kind.name()))
        .contains("wrong=0 hits=600 faults=300");
  }

  @ParameterizedTest
  @EnumSource(DramValues.class)
  @EnabledForJreRange(min = JRE.JAVA_22)
  void shouldServeABlockWhoseArenaIsClosed(DramValues kind) throws Exception {
    ArenaBuffer arena = new ArenaBuffer(LENGTH);
    try (TieredBlockCache cache =
        TieredBlockCache.builder(1 << 20, (file, offset) -> arena.buffer())
            .dramValues(kind)
            .build()) {
      arena.buffer().put(0, (byte) 9);
      assertThat(cache.get(1, 0, Source.READ).get(0)).isEqualTo((byte) 9);
      arena.close();
      for (int i = 0; i < 3; i++) {
        ByteBuffer block = cache.get(1, 0, Source.READ);
        assertThat(block.remaining()).isEqualTo(LENGTH);
        assertThat(block.get(0)).isEqualTo((byte) 9);
      }
      assertThatThrownBy(() -> cache.get(1, LENGTH, Source.READ))
          .isInstanceOf(IllegalStateException.class);
      assertThat(cache.stats().loadFailures()).isEqualTo(1);
      assertThat(cache.stats().dramBlocks()).isEqualTo(1);
    }
  }
}
