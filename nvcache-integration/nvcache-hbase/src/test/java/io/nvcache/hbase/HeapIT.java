// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.junit.jupiter.api.Test;

/** What a cached block costs on the heap, by the JVM's own histogram of live objects. */
class HeapIT {
  private static final int BLOCKS = 1 << 20;
  private static final int FILES = 1000;

  @Test
  void shouldTakeNextToNoHeapForABlock() throws Exception {
    Configuration configuration = new Configuration();
    configuration.setLong(NvCacheConfiguration.CAPACITY_BYTES, 384 << 20);
    configuration.setInt(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, 128);
    configuration.set(NvCacheConfiguration.POLICIES, "admit-all");
    configuration.setLong(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, 0);
    NvHBaseBlockCache cache = new NvHBaseBlockCache(configuration);
    try {
      cache.cacheBlock(key(0), new ForeignBlock("block"));
      cache.getBlock(key(0), true, false, true);
      long before = liveBytes();
      for (int i = 1; i < BLOCKS; i++) {
        cache.cacheBlock(key(i), new ForeignBlock("block " + i));
        cache.getBlock(key(i), true, false, true);
      }
      // The index displaces one in a million or so before it is full, by the seed of its hash.
      assertThat(cache.getBlockCount()).isBetween(BLOCKS - 100L, (long) BLOCKS);
      double bytesPerBlock = (double) (liveBytes() - before) / BLOCKS;
      System.out.printf("heap bytes for a cached block: %.2f%n", bytesPerBlock);
      assertThat(bytesPerBlock).isLessThan(16);
    } finally {
      cache.shutdown();
    }
  }

  /** A fresh name each time, as HBase's readers have it. */
  private static BlockCacheKey key(int i) {
    return new BlockCacheKey(String.format("%032x", i % FILES), (long) i / FILES * 128);
  }

  private static long liveBytes() throws Exception {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    String total = histogram.substring(histogram.lastIndexOf("Total")).strip();
    return Long.parseLong(total.split("\\s+", -1)[2]);
  }
}
