// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class UnusedPagesTest {
  /** Too much for allocators to have it at hand, and for one reading of the system's map. */
  private static final long SIZE_BYTES = 96L << 20;

  private static final long USED_AT = 70L << 20;

  @BeforeEach
  void needsTheSystemsMap() throws Exception {
    try (UnusedPages pages = UnusedPages.open()) {
      assumeTrue(pages != null, "this system shows no map of pages");
    }
  }

  @Test
  void shouldStopAtAPageThatWasWritten() {
    try (OffHeapBytes bytes = OffHeapBytes.uninitialized(SIZE_BYTES, 4096)) {
      bytes.putByte(USED_AT + 5, (byte) 1);

      assertThat(unusedBytes(bytes, 0)).isEqualTo(USED_AT);
      assertThat(unusedBytes(bytes, USED_AT)).isZero();
      assertThat(unusedBytes(bytes, USED_AT + RawMemory.pageBytes()))
          .isEqualTo(SIZE_BYTES - USED_AT - RawMemory.pageBytes());
    }
  }

  @Test
  void shouldStopAtAPageThatWasRead() {
    try (OffHeapBytes bytes = OffHeapBytes.uninitialized(SIZE_BYTES, 4096)) {
      assertThat(bytes.getByte(USED_AT)).isZero();

      assertThat(unusedBytes(bytes, 0)).isEqualTo(USED_AT);
    }
  }

  @Test
  void shouldNotPassTheEnd_OfMemoryAllOfWhichIsUsed() {
    try (OffHeapBytes bytes = OffHeapBytes.uninitialized(SIZE_BYTES, 4096)) {
      RawMemory.fill(bytes.address(), SIZE_BYTES, (byte) 1);

      assertThat(unusedBytes(bytes, 0)).isZero();
    }
  }

  /** An index must not take its pages by being opened. */
  @Test
  void shouldFindThePagesUnused_OfMemoryThatReadsAsZero() {
    try (OffHeapBytes bytes = OffHeapBytes.zeroed(SIZE_BYTES, 4096)) {
      assertThat(unusedBytes(bytes, 0)).isEqualTo(SIZE_BYTES);
    }
  }

  private static long unusedBytes(OffHeapBytes bytes, long from) {
    try (UnusedPages pages = UnusedPages.open()) {
      long address = bytes.address() + from;
      return pages.unusedUpTo(address, bytes.address() + SIZE_BYTES) - address;
    }
  }
}
