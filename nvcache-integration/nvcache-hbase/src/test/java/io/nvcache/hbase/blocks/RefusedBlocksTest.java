// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.jupiter.api.Test;

final class RefusedBlocksTest {
  private final AtomicInteger references = new AtomicInteger();
  private final RefusedBlocks blocks = new RefusedBlocks();

  /** A block that counts who holds it. */
  private final Cacheable block =
      (Cacheable)
          Proxy.newProxyInstance(
              Cacheable.class.getClassLoader(),
              new Class<?>[] {Cacheable.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "retain" -> {
                      references.incrementAndGet();
                      yield proxy;
                    }
                    case "release" -> references.decrementAndGet() == 0;
                    default -> null;
                  });

  private void addAll(int count, int lengthBytes) {
    for (int i = 0; i < count; i++) {
      blocks.add(1, 1000L * i, lengthBytes, block);
    }
  }

  @Test
  void shouldHoldBlocksOfTheUsualLength() {
    addAll(32, 64 << 10);

    assertThat(references.get()).isGreaterThan(16);
    assertThat(blocks.bytes()).isEqualTo(references.get() * (64L << 10));
    assertThat(blocks.find(1, 31_000)).isSameAs(block);
  }

  @Test
  void shouldNotHoldMoreBytesThanTheBound() {
    for (int round = 0; round < 3; round++) {
      addAll(1000, RefusedBlocks.LONGEST_BYTES);

      assertThat(blocks.bytes()).isLessThanOrEqualTo(RefusedBlocks.MOST_BYTES);
      assertThat(references.get())
          .isEqualTo(blocks.bytes() / RefusedBlocks.LONGEST_BYTES)
          .isPositive();
      assertThat(blocks.find(1, 999_000)).as("the last").isSameAs(block);
      references.decrementAndGet(); // Of the one that was found.
    }
  }

  /** Long ones have left room for short ones. */
  @Test
  void shouldHoldShortBlocksAfterLongOnes() {
    addAll(1000, RefusedBlocks.LONGEST_BYTES);
    addAll(1000, 100);
    assertThat(blocks.bytes()).isLessThan(RefusedBlocks.LONGEST_BYTES);
  }

  @Test
  void shouldNotHoldALongBlock() {
    blocks.add(1, 0, RefusedBlocks.LONGEST_BYTES + 1, block);

    assertThat(references.get()).isZero();
    assertThat(blocks.find(1, 0)).isNull();
  }

  @Test
  void shouldLetAllGo_WhenClosed() {
    addAll(1000, 100_000);
    blocks.close();

    assertThat(references.get()).isZero();
    assertThat(blocks.bytes()).isZero();
  }
}
