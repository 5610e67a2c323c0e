// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.testing.ChildJvm;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each in a separate JVM, since a JVM decides once. */
final class CopyOrderTest {
  private static final int SMALL = 1 << 20;
  private static final int LARGE = 64 << 20;

  /** Builds a cache of so many bytes, waits for what that starts, and copies blocks. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      try (BlockCache cache =
          BlockCache.builder().nativeMemory(Long.parseLong(arguments[0])).build()) {
        boolean measured = false;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
          measured |= thread.getName().equals("nvcache-copy-order");
        }
        CopyOrder.awaitChoice();
        System.out.println(
            (measured ? "measured" : "not measured") + "; copies: " + cache.stats().copyOrder());
        System.out.println(
            "of 4 KiB: "
                + (CopyOrder.readsInStreams(4096) || CopyOrder.writesInStreams(4096))
                + ", of 64 KiB: "
                + (CopyOrder.readsInStreams(65536) && CopyOrder.writesInStreams(65536)));
        System.out.println(sameBytes(16 << 10) && sameBytes(64 << 10) ? "same" : "other bytes");
      } catch (IllegalArgumentException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }

    private static boolean sameBytes(int length) {
      ByteBuffer block = ByteBuffer.allocate(length);
      for (int i = 0; i < length; i++) {
        block.put(i, (byte) (i * 31 >> 3));
      }
      try (OffHeapBytes memory = OffHeapBytes.zeroed(length, 64)) {
        RawMemory.copyBlockIn(block, 0, memory.address(), length);
        ByteBuffer copy = ByteBuffer.allocateDirect(length);
        RawMemory.copyBlockOut(memory.address(), copy, 0, length);
        return copy.equals(block);
      }
    }
  }

  private static String run(List<String> flags, int bytes) throws Exception {
    return ChildJvm.run(flags, Program.class, Integer.toString(bytes));
  }

  @Test
  void shouldMeasureForAMediumThatIsLargerThanCaches() throws Exception {
    assertThat(
            run(List.of("-Dorg.slf4j.simpleLogger.log.io.nvcache.memory.CopyOrder=debug"), LARGE))
        .containsPattern("copies of blocks: .* \\(streams to a stroke:( \\d+\\.\\d\\d){3}\\)")
        .containsPattern("measured; copies: (all in one pass|in streams: )")
        .contains("of 4 KiB: false", "same");
  }

  @Test
  void shouldCopyAtAStrokeForASmallMedium() throws Exception {
    assertThat(run(List.of(), SMALL)).contains("not measured; copies: all in one pass", "same");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "streams"})
  void shouldCopyInTheOrderOfTheProperty(String order) throws Exception {
    assertThat(run(List.of("-Dnvcache.copies=" + order), LARGE))
        .contains("not measured", "same")
        .contains("of 4 KiB: false, of 64 KiB: " + order.equals("streams"));
  }

  @Test
  void shouldNameTheOrdersThatThereAre() throws Exception {
    assertThat(run(List.of("-Dnvcache.copies=fast"), SMALL))
        .contains("refused: -Dnvcache.copies is fast; it must be plain or streams, or not set");
  }
}
