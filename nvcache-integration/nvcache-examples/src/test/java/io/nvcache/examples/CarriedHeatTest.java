// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CarriedHeatTest {
  private static long offset(int block) {
    return (long) block * CarriedHeat.BLOCK_BYTES;
  }

  @Test
  void shouldLeaveTheHotBlocksOfTheOutputCached() {
    List<ByteBuffer> input =
        IntStream.range(0, 16)
            .mapToObj(i -> ByteBuffer.allocate(CarriedHeat.BLOCK_BYTES).putInt(0, i))
            .toList();
    try (BlockCache cache =
        BlockCache.builder().nativeMemory(4 << 20).admission(AdmissionPresets.admitAll()).build()) {
      ByteBuffer dst = ByteBuffer.allocate(CarriedHeat.BLOCK_BYTES);
      for (int hot = 3; hot <= 6; hot++) {
        cache.offer(1, offset(hot), input.get(hot).duplicate(), Source.READ);
        cache.get(1, offset(hot), dst.clear());
      }

      List<ByteBuffer> output = CarriedHeat.compact(cache, 1, input, 2);

      assertThat(output).isEqualTo(input);
      assertThat(cache.get(1, offset(4), dst.clear())).isEqualTo(BlockCache.MISS);
      // An input block may go on in the next output block, so that has a share of its heat: the
      // inner ones are the hottest, and 3 and 7 have too little to be read.
      for (int hot = 4; hot <= 6; hot++) {
        assertThat(cache.get(2, offset(hot), dst.clear())).isEqualTo(CarriedHeat.BLOCK_BYTES);
        assertThat(dst.getInt(0)).isEqualTo(hot);
      }
      assertThat(cache.control().countBlocks(2)).isEqualTo(3);
    }
  }
}
