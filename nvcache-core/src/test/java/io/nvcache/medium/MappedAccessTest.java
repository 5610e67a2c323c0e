// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MappedAccessTest {
  private static final int LENGTH = 256;

  @TempDir Path directory;

  private final Medium memory = NativeMedium.allocate(2 * LENGTH);
  private final MappedAccess access = MappedAccess.of(memory.address(0, LENGTH), LENGTH);

  @AfterEach
  void close() {
    memory.close();
  }

  /** Writes bytes 16 to 115 of one buffer, and reads them into another from byte 32 on. */
  private void checkCopies(ByteBuffer src, ByteBuffer dst) {
    for (int i = 0; i < LENGTH; i++) {
      src.put(i, (byte) i);
    }
    access.write(7, src.position(3).limit(5), 16, 100);
    access.read(7, dst.position(1).limit(2), 32, 100);

    assertThat(src.position()).isEqualTo(3);
    assertThat(src.limit()).isEqualTo(5);
    assertThat(dst.position()).isEqualTo(1);
    assertThat(dst.limit()).isEqualTo(2);
    dst.clear();
    for (int i = 0; i < LENGTH; i++) {
      int expected = i < 32 || i >= 132 ? 0 : i - 16;
      assertThat(dst.get(i)).as("byte %d", i).isEqualTo((byte) expected);
    }
  }

  @Test
  void shouldCopyHeapBuffers() {
    checkCopies(ByteBuffer.allocate(LENGTH), ByteBuffer.allocate(LENGTH));
  }

  @Test
  void shouldCopyDirectBuffers() {
    checkCopies(ByteBuffer.allocateDirect(LENGTH), ByteBuffer.allocateDirect(LENGTH));
  }

  /** Such buffers may lose their memory at any time, and take another way. */
  @Test
  void shouldCopyMappedBuffers() throws IOException {
    checkCopies(mapped("src"), mapped("dst"));
  }

  private ByteBuffer mapped(String name) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            directory.resolve(name),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return file.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH);
    }
  }

  @Test
  void shouldClear() {
    access.write(0, ByteBuffer.allocate(LENGTH).put(9, (byte) 1).put(10, (byte) 1), 0, LENGTH);
    access.clear(10, 1);
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    access.read(0, dst, 0, LENGTH);
    assertThat(dst.get(9)).isEqualTo((byte) 1);
    assertThat(dst.get(10)).isZero();
  }

  @Test
  void shouldRefuseWhatLiesOutside() {
    ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> access.read(LENGTH - 1, buffer, 0, 2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> access.read(Long.MAX_VALUE, buffer, 0, 2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> access.write(-1, buffer, 0, 2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> access.write(0, buffer, LENGTH - 1, 2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> access.clear(1, LENGTH));
    assertThatExceptionOfType(ReadOnlyBufferException.class)
        .isThrownBy(() -> access.read(0, buffer.asReadOnlyBuffer(), 0, 2));
  }

  @Test
  void shouldRefuseARangeThatIsNone() {
    assertThatIllegalArgumentException().isThrownBy(() -> MappedAccess.of(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> MappedAccess.of(4096, -1));
  }
}
