// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.testing.ArenaBuffer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of every kind of buffer the sum is that of the same bytes in an array. */
final class BufferSumTest {
  private static final int SIZE = 10_000;

  static Stream<ByteBuffer> buffers() {
    ByteBuffer heap = ByteBuffer.allocate(SIZE + 48).slice(16, SIZE);
    ByteBuffer direct = ByteBuffer.allocateDirect(SIZE + 48).slice(16, SIZE);
    byte[] bytes = new byte[SIZE];
    new SplittableRandom(1).nextBytes(bytes);
    heap.put(0, bytes);
    direct.put(0, bytes);
    return Stream.of(heap, heap.asReadOnlyBuffer(), direct, direct.asReadOnlyBuffer());
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void shouldSumUpBytesWhereverThePositionIs(ByteBuffer bytes) {
    bytes.position(SIZE - 3).limit(SIZE - 1);
    for (int position : new int[] {0, 1, 77, SIZE - 1}) {
      for (int length : new int[] {0, 1, 7, 64, 4096, SIZE}) {
        if (position + length <= SIZE) {
          byte[] array = new byte[length];
          bytes.duplicate().clear().get(position, array);
          CRC32C crc = new CRC32C();
          crc.update(array);

          assertThat(BufferSum.of(bytes, position, length)).isEqualTo((int) crc.getValue());
        }
      }
    }
    assertThat(bytes.position()).isEqualTo(SIZE - 3);
    assertThat(bytes.limit()).isEqualTo(SIZE - 1);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void shouldNotReadBeyondABuffer(ByteBuffer bytes) {
    assertThatThrownBy(() -> BufferSum.of(bytes, 1, SIZE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> BufferSum.of(bytes, -1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** A page that is gone would end the JVM. */
  @Test
  void shouldRefuseAMapping(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[SIZE]);
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, SIZE);

      assertThatThrownBy(() -> BufferSum.of(mapping.slice(1, 8), 0, 8))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("sum up a copy");
    }
  }

  @Test
  void shouldRefuseTheMemoryOfAnArena() throws Exception {
    assumeTrue(Runtime.version().feature() >= 22);
    ArenaBuffer arena = new ArenaBuffer(SIZE);

    assertThatThrownBy(() -> BufferSum.of(arena.buffer(), 0, SIZE))
        .isInstanceOf(IllegalArgumentException.class);
    arena.close();
  }
}
