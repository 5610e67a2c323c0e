// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HotOutputTest {
  /** What a rewrite gets to know of a chunk. */
  private record Chunk(long offset, int lengthBytes, double lookups) {}

  private final List<Chunk> chunks = new ArrayList<>();
  private final Rewrite rewrite =
      new Rewrite() {
        @Override
        public @Nullable PinnedBlock read(long fileId, long offset) {
          throw new AssertionError();
        }

        @Override
        public double wrote(long fileId, long offset, int lengthBytes, double keyLookups) {
          assertThat(fileId).isEqualTo(7);
          chunks.add(new Chunk(offset, lengthBytes, keyLookups));
          return keyLookups;
        }

        @Override
        public int carryAhead(OutputReader kept) {
          throw new AssertionError();
        }

        @Override
        public int carry(OutputReader outputs) {
          throw new AssertionError();
        }
      };

  private HotOutput output(int chunkBytes) {
    return new HotOutput(rewrite, 7, "key", Path.of("data"), chunkBytes);
  }

  @Test
  void shouldGiveACompressedChunkTheLookupsOfAllPartitionsInIt() {
    HotOutput output = output(HotOutput.COMPRESSED);
    output.begins(3);
    output.ends(100);
    output.begins(0);
    output.ends(200);
    output.begins(5);
    output.wrote(0, 90); // The third partition goes on in the next chunk.
    output.ends(300);
    output.begins(1);
    output.ends(400);
    output.wrote(90, 150);
    output.begins(0);
    output.wrote(150, 170);
    assertThat(chunks)
        .containsExactly(new Chunk(0, 90, 8), new Chunk(90, 60, 3.5), new Chunk(150, 20, 0));
  }

  @Test
  void shouldGiveTheLaterChunksOfALongPartitionLess() {
    HotOutput output = output(HotOutput.COMPRESSED);
    output.begins(6);
    output.wrote(0, 10);
    output.wrote(10, 20);
    output.wrote(20, 30);
    output.ends(100);
    output.wrote(30, 40);
    assertThat(chunks).extracting(Chunk::lookups).containsExactly(6.0, 3.0, 2.0, 1.5);
  }

  @Test
  void shouldCutAnUncompressedFileIntoTheChunksOfItsReaders() {
    HotOutput output = output(4096);
    output.begins(2);
    output.ends(1000);
    output.begins(4);
    output.ends(9000); // Over two ends of chunks.
    output.begins(3);
    output.ends(12_288); // Up to the end of one.
    output.begins(1);
    output.ends(16_384);
    assertThat(chunks).extracting(Chunk::offset).containsExactly(0L, 4096L, 8192L, 12_288L);
    assertThat(chunks).extracting(Chunk::lengthBytes).containsOnly(4096);
    assertThat(chunks.get(0).lookups()).isEqualTo(6);
    assertThat(chunks.get(1).lookups()).isEqualTo(2);
    assertThat(chunks.get(2).lookups()).isCloseTo(3 + 4 / 3.0, within(1e-9));
    assertThat(chunks.get(3).lookups()).isEqualTo(1);
  }

  @Test
  void shouldNotTakeTheWritesOfACompressorForChunksOfAnUncompressedFile() {
    HotOutput output = output(4096);
    output.begins(2);
    output.wrote(0, 4096);
    assertThat(chunks).isEmpty();
  }
}
