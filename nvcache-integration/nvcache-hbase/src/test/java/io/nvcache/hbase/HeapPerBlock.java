// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.hbase.site.NvCacheConfiguration;
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/**
 * What a cached block costs on the heap, by the JVM's own histogram of live objects: a program, so
 * that nothing else is on its heap.
 *
 * <p>A block costs so little that what the JVM itself lets go of between the two histograms, some
 * 60 KiB, may be more. So an array of a known size is made between them, and the result is only
 * believed if it shows the array.
 */
final class HeapPerBlock {
  static final int BLOCKS = 1 << 20;

  /** What the array takes, for each block. */
  static final int KNOWN_BYTES_PER_BLOCK = 1;

  private static final int FILES = 1000;

  /** Is never read. In a field it lives until the second histogram. */
  @SuppressWarnings("unused")
  private static byte[] known;

  private HeapPerBlock() {}

  /** Prints {@code RESULT blocks bytes}: how many are cached, and what they and the array take. */
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = new Configuration();
    configuration.setLong(NvCacheConfiguration.CAPACITY_BYTES, 384 << 20);
    configuration.setInt(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, 128);
    configuration.set(NvCacheConfiguration.POLICIES, "admit-all");
    configuration.setLong(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, 0);
    NvHBaseBlockCache cache = new NvHBaseBlockCache(configuration);
    try {
      fill(cache, 0, 1);
      long before = liveBytes();
      known = new byte[BLOCKS * KNOWN_BYTES_PER_BLOCK];
      fill(cache, 1, BLOCKS);
      System.out.printf("RESULT %d %d%n", cache.getBlockCount(), liveBytes() - before);
    } finally {
      cache.shutdown();
    }
  }

  private static void fill(NvHBaseBlockCache cache, int from, int to) {
    for (int i = from; i < to; i++) {
      cache.cacheBlock(key(i), new ForeignBlock("block " + i));
      cache.getBlock(key(i), true, false, true);
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
