// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.FileKey;
import io.nvcache.cassandra.tier.Tier;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CarriedChunksTest {
  private static final int CHUNK = 3000;

  @TempDir Path directory;

  private final byte[] onDisk = new byte[CHUNK];
  private final Tier tier = new Tier(thread -> false);

  CarriedChunksTest() {
    new Random(1).nextBytes(onDisk);
    CRC32 sum = new CRC32();
    sum.update(onDisk, 0, CHUNK - ChunkSums.SUM_BYTES);
    ByteBuffer.wrap(onDisk).putInt(CHUNK - ChunkSums.SUM_BYTES, (int) sum.getValue());
  }

  /** Reads the one chunk of a file back. */
  private @Nullable ByteBuffer carried(int chunkBytes) throws Exception {
    Path path = Files.write(directory.resolve("nb-2-big-Data.db"), onDisk);
    Object fileKey = FileKey.of(-1, path.toString());
    long id = tier.opened(fileKey, CHUNK).id();
    try (BlockCache cache = BlockCache.builder().nativeMemory(16 << 20).build()) {
      HotOutput output = new HotOutput(cache.rewrite(), id, fileKey, path, chunkBytes);
      return new CarriedChunks(List.of(output), tier, () -> true, bytes -> {}).read(id, 0, CHUNK);
    }
  }

  @Test
  void shouldReadACompressedChunkBackWithItsChecksum() throws Exception {
    assertThat(carried(HotOutput.COMPRESSED)).isEqualTo(ByteBuffer.wrap(onDisk));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, CHUNK / 2, CHUNK - 1})
  void shouldCarryNoCompressedChunkWhoseChecksumIsWrong(int changed) throws Exception {
    onDisk[changed] ^= 1;
    assertThat(carried(HotOutput.COMPRESSED)).isNull();
    assertThat(tier.bypasses().of(Bypass.WRONG_SUM)).isEqualTo(1);
  }

  @Test
  void shouldLookForNoChecksumInAChunkThatIsNotCompressed() throws Exception {
    onDisk[0] ^= 1;
    assertThat(carried(CHUNK)).isEqualTo(ByteBuffer.wrap(onDisk));
  }
}
