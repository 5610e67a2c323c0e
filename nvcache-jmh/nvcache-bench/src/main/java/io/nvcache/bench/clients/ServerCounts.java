// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

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
    long blocks =
        ServerBeans.number(metrics, "l2CacheCount")
            + ServerBeans.number(metrics, "l2CacheEvictionCount");
    return new ServerCounts(
        ServerBeans.number(files, "FsPReadTime_num_ops"),
        nvcache.isEmpty()
            ? blocks * BLOCK_BYTES
            : ServerBeans.number(nvcache, "DeviceWrittenBytes"),
        ServerBeans.number(
            memory.substring(Math.max(0, memory.indexOf("\"HeapMemoryUsage\""))), "used"),
        ServerBeans.sum(collectors, "CollectionTime"));
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
