// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RawMemoryTest {
  private static final int AT = 5;

  /** A limit that another thread moves meanwhile is no failure of what is read. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 100})
  void shouldCopyOutOfAMappingWhateverTheLimitOfTheBuffer(int length) {
    try (OffHeapBytes memory = OffHeapBytes.zeroed(128, 8)) {
      for (int i = 0; i < 128; i++) {
        memory.putByte(i, (byte) (i + 1));
      }
      for (ByteBuffer dst :
          new ByteBuffer[] {
            ByteBuffer.allocate(200),
            ByteBuffer.allocateDirect(200),
            ByteBuffer.allocate(210).slice(3, 200)
          }) {
        dst.limit(0);

        RawMemory.copyOutOfMapping(memory.address(), dst, AT, length);

        dst.clear();
        for (int i = 0; i < dst.capacity(); i++) {
          boolean inside = i >= AT && i < AT + length;
          assertThat(dst.get(i)).isEqualTo((byte) (inside ? i - AT + 1 : 0));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void shouldCopyOutOfAMappingIntoWritableBuffersAndTheirMemoryOnly(int length) {
    try (OffHeapBytes memory = OffHeapBytes.zeroed(128, 8)) {
      ByteBuffer readOnly = ByteBuffer.allocate(200).asReadOnlyBuffer();
      assertThatThrownBy(() -> RawMemory.copyOutOfMapping(memory.address(), readOnly, 0, length))
          .isInstanceOf(ReadOnlyBufferException.class);
      ByteBuffer small = ByteBuffer.allocate(length + AT - 1);
      assertThatThrownBy(() -> RawMemory.copyOutOfMapping(memory.address(), small, AT, length))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
