// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.bench.clients.ClientsEngine;
import io.nvcache.report.Labelled;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What a server has below its DRAM cache. */
public enum DayEngine implements Labelled {
  NONE,
  /** BucketCache in a file, tuned for the load of the day. */
  BUCKET_FILE,
  /** The same, which also caches all that compactions write. */
  BUCKET_FILE_COMPACTED,
  NVCACHE_FLASH,
  /** The same, which does not carry the heat of compacted blocks. */
  NVCACHE_FLASH_NOHEAT;

  private static final long MIB = 1 << 20;

  boolean isBucketCache() {
    return this == BUCKET_FILE || this == BUCKET_FILE_COMPACTED;
  }

  boolean isNvCache() {
    return this == NVCACHE_FLASH || this == NVCACHE_FLASH_NOHEAT;
  }

  /** Returns the file that BucketCache keeps its map in. */
  Path map(Path directory) {
    return directory.resolve("second-level.index");
  }

  /** Returns the keys of {@code hbase-site.xml} that make this second level. */
  Map<String, String> site(Path directory, long capacityBytes) {
    Path file = directory.resolve("second-level");
    return switch (this) {
      case NONE -> Map.of();
      case BUCKET_FILE -> bucketCache(file, map(directory), capacityBytes);
      case BUCKET_FILE_COMPACTED ->
          with(
              bucketCache(file, map(directory), capacityBytes),
              "hbase.rs.cachecompactedblocksonwrite",
              "true");
      case NVCACHE_FLASH -> ClientsEngine.NVCACHE_FLASH.site(directory, capacityBytes);
      case NVCACHE_FLASH_NOHEAT ->
          with(
              NVCACHE_FLASH.site(directory, capacityBytes),
              "hbase.nvcache.compaction.heat",
              "false");
    };
  }

  private static Map<String, String> with(Map<String, String> keys, String key, String value) {
    Map<String, String> more = new HashMap<>(keys);
    more.put(key, value);
    return more;
  }

  /**
   * BucketCache as its experts tune it for this table: its map is written once a second, so that a
   * kill loses little; the buckets fit the blocks, which are a little longer than 64 KiB, eight
   * times without a rest; no part is kept for IN_MEMORY families, of which there are none; it is
   * emptied later and by less; the queues take what the readers bring, and no more than the memory
   * has room for.
   */
  private static Map<String, String> bucketCache(Path file, Path map, long capacityBytes) {
    return Map.ofEntries(
        Map.entry("hbase.bucketcache.ioengine", "file:" + file),
        Map.entry("hbase.bucketcache.size", Long.toString(capacityBytes / MIB)),
        Map.entry("hbase.bucketcache.persistent.path", map.toString()),
        Map.entry("hbase.bucketcache.persist.intervalinmillis", "1000"),
        Map.entry("hbase.bucketcache.bucket.sizes", "5120,17408,33280,66560,133120"),
        Map.entry("hbase.bucketcache.writer.threads", "8"),
        Map.entry("hbase.bucketcache.writer.queuelength", "64"),
        Map.entry("hbase.bucketcache.queue.addition.waittime", "100"),
        Map.entry("hbase.bucketcache.acceptfactor", "0.98"),
        Map.entry("hbase.bucketcache.minfactor", "0.95"),
        Map.entry("hbase.bucketcache.single.factor", "0.25"),
        Map.entry("hbase.bucketcache.multi.factor", "0.75"),
        Map.entry("hbase.bucketcache.memory.factor", "0"),
        Map.entry("hbase.rs.prefetchblocksonopen", "true"));
  }
}
