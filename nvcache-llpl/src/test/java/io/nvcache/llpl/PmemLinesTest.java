// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NeedsPmdk
class PmemLinesTest {
  @TempDir private Path directory;

  @Test
  void shouldWriteBackAnyPartOfAMapping() throws IOException {
    Path file = directory.resolve("a");
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 10_000);
      mapped.put(9_999, (byte) 7);
      PmemLines.persist(mapped, 9_999, 1);
      PmemLines.persist(mapped, 0, 10_000);
      PmemLines.persist(mapped, 10_000, 0);
      assertThat(file).isRegularFile();
      ByteBuffer read = ByteBuffer.allocate(1);
      channel.read(read, 9_999);
      assertThat(read.get(0)).isEqualTo((byte) 7);
    }
  }

  @Test
  void shouldRefuseWhatIsOutsideOrNotMapped() {
    ByteBuffer direct = ByteBuffer.allocateDirect(100);
    assertThatThrownBy(() -> PmemLines.persist(direct, 1, 100))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> PmemLines.persist(direct, -1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> PmemLines.persist(ByteBuffer.allocate(10), 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("heap");
  }
}
