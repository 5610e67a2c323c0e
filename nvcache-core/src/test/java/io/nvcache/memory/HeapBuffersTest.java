// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeapBuffersTest {
  private final HeapBuffers buffers = new HeapBuffers();

  private void lendAtOnce(int count, int lengthBytes) {
    List<ByteBuffer> lent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lent.add(buffers.take(lengthBytes));
    }
    lent.forEach(buffers::giveBack);
  }

  @Test
  void shouldLendTheSameBufferAgain() {
    ByteBuffer first = buffers.take(5_000);
    first.position(7);
    buffers.giveBack(first);
    ByteBuffer second = buffers.take(8_192);
    assertThat(second).isSameAs(first);
    assertThat(second.remaining()).isEqualTo(8_192);
    assertThat(buffers.take(8_192)).isNotSameAs(first);
    assertThat(buffers.take(0).remaining()).isZero();
  }

  @Test
  void shouldKeepAFewOfEachLength() {
    lendAtOnce(1_000, 4_096);
    assertThat(buffers.keptBytes()).isEqualTo(64 * 4_096);
    lendAtOnce(20, (1 << 20) - 5);
    assertThat(buffers.keptBytes()).isEqualTo(64 * 4_096 + (8 << 20));
  }

  @Test
  void shouldKeepNoneThatAreVeryLong() {
    lendAtOnce(2, (8 << 20) + 16);
    assertThat(buffers.keptBytes()).isZero();
    assertThat(buffers.take((8 << 20) + 16).capacity()).isEqualTo((8 << 20) + 16);
  }
}
