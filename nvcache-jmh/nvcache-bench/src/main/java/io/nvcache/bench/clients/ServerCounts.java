// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server's page of metrics says at a moment.
 *
 * @param storeReads positional reads of store files; what compactions read is not among them
 * @param writtenBytes to the second level since the server was started
 * @param heapBytes used
 * @param collectionMillis of the garbage collector since the server was started
 */
record ServerCounts(long storeReads, long writtenBytes, long heapBytes, long collectionMillis) {
  private static final int BLOCK_BYTES = 64 << 10;

  /**
   * Reads the counts.
   *
   * @param metrics of HBase's bean {@code sub=Server}
   * @param files of HBase's bean {@code sub=IO}
   * @param nvcache of NVCache's bean; empty where there is none
   * @param memory of the JVM's bean
   * @param collectors of the JVM's beans
   * @throws IllegalStateException if a page lacks what is read of it
   */
  static ServerCounts of(
      String metrics, String files, String nvcache, String memory, String collectors) {
    // BucketCache does not count what it writes; each block that is or was in it was written.
    long blocks = number(metrics, "l2CacheCount") + number(metrics, "l2CacheEvictionCount");
    return new ServerCounts(
        number(files, "FsPReadTime_num_ops"),
        nvcache.isEmpty() ? blocks * BLOCK_BYTES : number(nvcache, "DeviceWrittenBytes"),
        number(memory.substring(Math.max(0, memory.indexOf("\"HeapMemoryUsage\""))), "used"),
        sum(collectors, "CollectionTime"));
  }

  private static long number(String json, String name) {
    Matcher matcher = pattern(name).matcher(json);
    if (!matcher.find()) { // A zero would pass for a server that reads no files.
      throw new IllegalStateException("no " + name + " in the server's metrics: " + json);
    }
    return Long.parseLong(matcher.group(1));
  }

  private static long sum(String json, String name) {
    return pattern(name)
        .matcher(json)
        .results()
        .mapToLong(result -> Long.parseLong(result.group(1)))
        .sum();
  }

  private static Pattern pattern(String name) {
    return Pattern.compile("\"" + name + "\"\\s*:\\s*(-?\\d+)");
  }

  /** Returns what was counted since, and the heap of now. */
  ServerCounts since(ServerCounts before) {
    return new ServerCounts(
        storeReads - before.storeReads,
        writtenBytes - before.writtenBytes,
        heapBytes,
        collectionMillis - before.collectionMillis);
  }

  /**
   * Returns the part of the rows that were read without a store file. HBase's own counts of hits do
   * not compare: above BucketCache it counts each hit twice, and each miss three times.
   */
  double hitRatio(long rows) {
    return Math.max(0, 1 - (double) storeReads / rows);
  }
}
