// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a block is cached, asked without a lookup. */
final class PeekTest {
  private static final int LENGTH = 4000;

  private static BlockCacheBuilder builder(FaultyMedium medium, BlockPlacement placement) {
    return BlockCache.builder()
        .medium(medium)
        .placement(placement)
        .checksum(Checksum.CRC32C)
        .maxBlockBytes(16 << 10)
        .expectedBlockBytes(4096)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller();
  }

  private static ByteBuffer block(int value) {
    ByteBuffer block = ByteBuffer.allocate(LENGTH);
    while (block.remaining() >= Integer.BYTES) {
      block.putInt(value + block.position());
    }
    return block.clear();
  }

  @ParameterizedTest
  @EnumSource(BlockPlacement.class)
  void shouldTellLengthAndFirstBytesAndCountNothing(BlockPlacement placement) {
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    try (BlockCache cache = builder(medium, placement).build()) {
      cache.offer(5, 77, block(1), Source.READ);
      Map<String, Long> before = cache.control().ledger().entries();

      ByteBuffer head = ByteBuffer.allocate(16);
      assertThat(cache.control().peek(5, 77, head)).isEqualTo(LENGTH);
      assertThat(head.flip()).isEqualTo(block(1).limit(16));
      ByteBuffer all = ByteBuffer.allocateDirect(1 << 14);
      assertThat(cache.control().peek(5, 77, all)).isEqualTo(LENGTH);
      assertThat(all.flip()).isEqualTo(block(1));
      assertThat(cache.control().peek(5, 77, ByteBuffer.allocate(0))).isEqualTo(LENGTH);

      assertThat(cache.control().peek(5, 78, head.clear())).isEqualTo(BlockCache.MISS);
      assertThat(cache.control().peek(6, 77, head)).isEqualTo(BlockCache.MISS);
      assertThat(head.position()).isZero();
      assertThat(cache.stats().lookups()).isZero();
      assertThat(cache.control().ledger().entries()).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(BlockPlacement.class)
  void shouldShowNoBytesThatAreNotThoseWrittenAndNoneOfAClosedCache(BlockPlacement placement) {
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    BlockCache cache = builder(medium, placement).build();
    int offers = 100; // In regions the last ones are still buffered.
    for (int i = 0; i < offers; i++) {
      cache.offer(1, i, block(i), Source.READ);
      cache.control().maintain();
    }
    ByteBuffer dst = ByteBuffer.allocate(16);
    assertThat(cache.control().peek(1, 0, dst)).isEqualTo(LENGTH);
    medium.inject(Fault.BIT_FLIP);
    assertThat(cache.control().peek(1, 0, dst.clear())).isEqualTo(BlockCache.MISS);
    assertThat(cache.control().peek(1, 0, dst.limit(0))).as("reads nothing").isEqualTo(LENGTH);
    medium.heal();
    assertThat(cache.control().peek(1, 0, dst.clear())).isEqualTo(LENGTH);

    assertThatThrownBy(() -> cache.control().peek(1, -1, dst.clear()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cache.control().peek(1, 0, dst.clear().asReadOnlyBuffer()))
        .isInstanceOf(ReadOnlyBufferException.class);
    cache.close();
    assertThat(cache.control().peek(1, 0, dst.clear())).isEqualTo(BlockCache.MISS);
  }
}
