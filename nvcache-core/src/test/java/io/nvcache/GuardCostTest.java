// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What checksums and encryption cost a hit, in processor time, which other programs on the machine
 * don't count in, and as multiples of a hit without. In turns, and the median of them.
 */
@EnabledIfSystemProperty(named = "nvcache.test.costs", matches = "true")
final class GuardCostTest {
  private static final int ROUNDS = 21;
  private static final long BYTES_A_ROUND = 48L << 20;
  private static final int BLOCKS = 64;

  @Test
  void shouldTellWhatAHitCosts() {
    for (int length : new int[] {4 << 10, 16 << 10, 64 << 10}) {
      Map<String, BlockCache> caches = new LinkedHashMap<>();
      caches.put("plain", open(length, builder -> builder.checksum(Checksum.NONE)));
      caches.put("crc32c", open(length, builder -> builder.checksum(Checksum.CRC32C)));
      caches.put("aes-gcm", open(length, BlockCacheBuilder::encrypted));
      Map<String, double[]> nanos = new LinkedHashMap<>();
      caches.keySet().forEach(name -> nanos.put(name, new double[ROUNDS]));
      for (int round = 0; round < ROUNDS; round++) {
        for (Map.Entry<String, BlockCache> cache : caches.entrySet()) {
          nanos.get(cache.getKey())[round] = nanosPerHit(cache.getValue(), length);
        }
      }
      double plain = median(nanos.get("plain"));
      nanos.forEach(
          (name, rounds) ->
              System.out.printf(
                  "%d KiB, %s: %.0f ns a hit, %.2f times a plain one%n",
                  length >> 10, name, median(rounds), median(rounds) / plain));
      caches.values().forEach(BlockCache::close);
    }
  }

  private static BlockCache open(int length, UnaryOperator<BlockCacheBuilder> options) {
    BlockCache cache =
        options
            .apply(
                BlockCache.builder()
                    .nativeMemory(16 << 20)
                    .maxBlockBytes(length)
                    .expectedBlockBytes(length)
                    .admission(AdmissionPresets.admitAll())
                    .eviction(FifoEviction::new)
                    .maintainedByCaller())
            .build();
    for (long block = 0; block < BLOCKS; block++) {
      cache.offer(1, block * length, TestBlock.of(1, block * length, length), Source.READ);
    }
    return cache;
  }

  private static double nanosPerHit(BlockCache cache, int length) {
    int hits = (int) (BYTES_A_ROUND / length);
    ByteBuffer dst = ByteBuffer.allocateDirect(length);
    long began = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < hits; i++) {
      if (cache.get(1, (long) (i % BLOCKS) * length, dst.clear()) != length) {
        throw new AssertionError("a miss");
      }
    }
    return (double) (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - began) / hits;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
