// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OffHeapBytesTest {
  private static final int ALIGNMENT_BYTES = 64;

  /** Allocators give memory that was freed again, with what was in it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 4095, 4096, 4097, 3 * 4096 + 5, 1 << 20, (3 << 20) + 5})
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

  /** Pages are taken while others write: nothing that they wrote may be lost. */
  @Test
  void shouldKeepWhatIsWritten_WhilePagesAreTakenAhead() throws InterruptedException {
    int sizeBytes = 64 << 20;
    try (OffHeapBytes bytes = OffHeapBytes.zeroed(sizeBytes, ALIGNMENT_BYTES)) {
      bytes.takePagesAhead("taken-by-test");
      for (int round = 1; round <= 4; round++) {
        for (int at = 0; at < sizeBytes; at += 4096) {
          bytes.putInt(at, bytes.getInt(at) + 1);
        }
      }
      await("taken-by-test");
      for (int at = 0; at < sizeBytes; at += 4096) {
        assertThat(bytes.getInt(at)).isEqualTo(4);
      }
    }
  }

  @Test
  void shouldHaveTakenAllPages_WhenTheThreadEnds() throws InterruptedException {
    int sizeBytes = 64 << 20;
    try (OffHeapBytes bytes = OffHeapBytes.zeroed(sizeBytes, 4096);
        UnusedPages pages = UnusedPages.open()) {
      assumeTrue(pages != null, "this system shows no map of pages");
      bytes.takePagesAhead("taken-by-test");
      await("taken-by-test");

      for (int at = 0; at < sizeBytes; at += 4096) {
        long address = bytes.address() + at;
        assertThat(pages.unusedUpTo(address, address + 1)).isEqualTo(address);
      }
    }
  }

  /** What is measured must not be the system's one page of zeros, which caches always have. */
  @Test
  void shouldHavePagesOfItsOwn_WhenItIsFilled() {
    int sizeBytes = 16 << 20;
    try (OffHeapBytes bytes = OffHeapBytes.filled(sizeBytes, 4096, (byte) 7);
        UnusedPages pages = UnusedPages.open()) {
      assumeTrue(pages != null, "this system shows no map of pages");
      for (int at = 0; at < sizeBytes; at += 4096) {
        long address = bytes.address() + at;
        assertThat(pages.unusedUpTo(address, address + 1)).isEqualTo(address);
        assertThat(bytes.getByte(at)).isEqualTo((byte) 7);
      }
    }
  }

  @Test
  void shouldTouchNothing_OfMemoryThatIsFreedMeanwhile() throws InterruptedException {
    for (int round = 0; round < 50; round++) {
      OffHeapBytes bytes = OffHeapBytes.zeroed(64 << 20, ALIGNMENT_BYTES);
      bytes.takePagesAhead("taken-by-test");
      bytes.close();
    }
    await("taken-by-test");
  }

  private static void await(String purpose) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("nvcache-" + purpose)) {
        thread.join();
      }
    }
  }
}
