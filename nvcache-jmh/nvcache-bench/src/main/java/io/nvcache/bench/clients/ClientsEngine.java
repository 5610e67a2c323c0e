// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.report.Labelled;
import java.nio.file.Path;
import java.util.Map;

/** What a server has below its DRAM cache, set as an operator sets it. */
public enum ClientsEngine implements Labelled {
  NONE,
  BUCKET_OFFHEAP,
  BUCKET_FILE,
  NVCACHE_NATIVE,
  NVCACHE_FLASH;

  private static final long MIB = 1 << 20;

  /** Returns the keys of {@code hbase-site.xml}: those that have to be set, and no other. */
  public Map<String, String> site(Path directory, long capacityBytes) {
    String file = directory.resolve("second-level").toString();
    String capacity = Long.toString(capacityBytes);
    String capacityMib = Long.toString(capacityBytes / MIB);
    return switch (this) {
      case NONE -> Map.of();
      case BUCKET_OFFHEAP ->
          Map.of("hbase.bucketcache.ioengine", "offheap", "hbase.bucketcache.size", capacityMib);
      case BUCKET_FILE ->
          Map.of(
              "hbase.bucketcache.ioengine",
              "file:" + file,
              "hbase.bucketcache.size",
              capacityMib,
              "hbase.bucketcache.persistent.path",
              file + ".index");
      case NVCACHE_NATIVE ->
          Map.of(
              "hbase.regionserver.impl",
              "io.nvcache.hbase.NvCacheRegionServer",
              "hbase.nvcache.capacity.bytes",
              capacity);
      case NVCACHE_FLASH ->
          Map.of(
              "hbase.regionserver.impl",
              "io.nvcache.hbase.NvCacheRegionServer",
              "hbase.nvcache.capacity.bytes",
              capacity,
              "hbase.nvcache.medium",
              "flash",
              "hbase.nvcache.path",
              file);
    };
  }

  /** Returns the label of the BucketCache on the same kind of medium as this NVCache; else "". */
  String peer() {
    return switch (this) {
      case NVCACHE_NATIVE -> BUCKET_OFFHEAP.label();
      case NVCACHE_FLASH -> BUCKET_FILE.label();
      default -> "";
    };
  }
}
