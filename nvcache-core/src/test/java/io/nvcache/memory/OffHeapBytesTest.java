// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OffHeapBytesTest {
  private static final int ALIGNMENT_BYTES = 64;

  /** Allocators give memory that was freed again, with what was in it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 4095, 4096, 4097, 3 * 4096 + 5, 1 << 20})
  void shouldReadAsZero_ThoughTheMemoryWasUsedBefore(int sizeBytes) {
    for (int round = 0; round < 20; round++) {
      try (OffHeapBytes bytes = OffHeapBytes.zeroed(sizeBytes, ALIGNMENT_BYTES)) {
        for (int i = 0; i < sizeBytes; i++) {
          assertThat(bytes.getByte(i)).isZero();
        }
        RawMemory.fill(bytes.address(), sizeBytes, (byte) -1);
      }
    }
  }

  /** One byte that is left over is enough, wherever it lies. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4094, 4095, 4096, 8190, 8191})
  void shouldReadAsZero_ThoughOneByteWasUsedBefore(int used) {
    int sizeBytes = 8192;
    for (int round = 0; round < 20; round++) {
      try (OffHeapBytes bytes = OffHeapBytes.zeroed(sizeBytes, ALIGNMENT_BYTES)) {
        assertThat(bytes.getByte(used)).isZero();
        RawMemory.fill(bytes.address(), sizeBytes, (byte) 0);
        bytes.putByte(used, (byte) 1);
      }
    }
  }
}
