// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever order its bytes are copied in, a block comes out whole, and nothing next to it changes.
 */
final class StreamedCopyTest {
  private static final int PAGE = 4096;
  private static final int LONGEST = 40 * PAGE + 77;
  private static final int MARGIN = 128;
  private static final byte UNTOUCHED = 0x55;

  /** About each number of pages, where the number of streams and the ends of pieces change. */
  static IntStream lengths() {
    IntStream around =
        Stream.of(
                0, 64, 256, 1024, PAGE, 2 * PAGE, 3 * PAGE, 4 * PAGE, 5 * PAGE, 8 * PAGE, 16 * PAGE)
            .flatMapToInt(length -> IntStream.of(length - 1, length, length + 1, length + 63));
    SplittableRandom random = new SplittableRandom(20261122);
    return IntStream.concat(
            IntStream.concat(around, IntStream.of(LONGEST)),
            IntStream.generate(() -> random.nextInt(LONGEST)).limit(60))
        .filter(length -> length >= 0);
  }

  private static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(length).nextBytes(bytes);
    return bytes;
  }

  private static void fill(OffHeapBytes memory) {
    RawMemory.fill(memory.address(), memory.sizeBytes(), UNTOUCHED);
  }

  private static byte[] contents(OffHeapBytes memory) {
    byte[] all = new byte[(int) memory.sizeBytes()];
    RawMemory.copyOut(memory.address(), ByteBuffer.wrap(all), all.length);
    return all;
  }

  /** The pattern with what must not have changed around it. */
  private static byte[] amidst(byte[] pattern, int before, int size) {
    byte[] all = new byte[size];
    Arrays.fill(all, UNTOUCHED);
    System.arraycopy(pattern, 0, all, before, pattern.length);
    return all;
  }

  private static ByteBuffer buffer(boolean direct, int size) {
    return direct
        ? ByteBuffer.allocateDirect(size)
        : ByteBuffer.allocate(size + 16).slice(16, size);
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void shouldCopyBlocksOut(int length) {
    byte[] pattern = pattern(length);
    int size = length + 2 * MARGIN;
    try (OffHeapBytes memory = OffHeapBytes.zeroed(size, 64)) {
      RawMemory.copyIn(ByteBuffer.wrap(pattern), 0, memory.address() + 3, length);
      for (boolean direct : new boolean[] {false, true}) {
        ByteBuffer dst = buffer(direct, size);
        for (int i = 0; i < size; i++) {
          dst.put(i, UNTOUCHED);
        }

        RawMemory.copyStreamsOut(memory.address() + 3, dst, 17, length);

        byte[] seen = new byte[size];
        dst.get(0, seen);
        assertThat(seen).as("direct: %s", direct).isEqualTo(amidst(pattern, 17, size));
        assertThat(dst.position()).isZero();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void shouldCopyBlocksIn(int length) {
    byte[] pattern = pattern(length);
    int size = length + 2 * MARGIN;
    try (OffHeapBytes memory = OffHeapBytes.zeroed(size, 64)) {
      for (boolean direct : new boolean[] {false, true}) {
        ByteBuffer src = buffer(direct, size);
        src.put(21, pattern);
        for (ByteBuffer given : new ByteBuffer[] {src, src.asReadOnlyBuffer()}) {
          fill(memory);

          RawMemory.copyStreamsIn(given, 21, memory.address() + 9, length);

          assertThat(contents(memory)).as("%s", given).isEqualTo(amidst(pattern, 9, size));
        }
      }
    }
  }
}
