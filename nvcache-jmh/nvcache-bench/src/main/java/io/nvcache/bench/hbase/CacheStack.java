// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/** HBase's LRU cache with an engine below, put together as a region server does. */
final class CacheStack implements AutoCloseable {
  private static final int WRITERS = 3;
  private static final int QUEUE_LENGTH = 64;
  private static final int TOLERATED_ERRORS_MILLIS = 60_000;

  /**
   * Each stack has its own file: HBase reads blocks through buffers, and a file whose memory a
   * buffer may still read is held until the garbage collector has found that none does.
   */
  private static final AtomicInteger OPENED = new AtomicInteger();

  private final BlockCache cache;
  private final LongSupplier writtenBytes;
  private final Path file;

  private CacheStack(BlockCache cache, LongSupplier writtenBytes, Path file) {
    this.cache = cache;
    this.writtenBytes = writtenBytes;
    this.file = file;
  }

  static CacheStack open(HBaseEngine engine, HBaseBenchSettings settings) throws IOException {
    Configuration configuration = new Configuration();
    Path file =
        settings
            .directory()
            .resolve(
                engine.label()
                    + "-"
                    + ProcessHandle.current().pid()
                    + "-"
                    + OPENED.getAndIncrement());
    LruBlockCache dram =
        new LruBlockCache(settings.dramBytes(), settings.blockBytes(), true, configuration);
    try {
      if (engine.isBucketCache()) {
        BucketCache bucket = bucketCache(engine, settings, file, configuration);
        return new CacheStack(
            new CombinedBlockCache(dram, bucket),
            () -> insertedBytes(bucket, settings.blockBytes()),
            file);
      }
      if (engine.isNvCache()) {
        NvHBaseBlockCache nvcache = nvcache(engine, settings, file, configuration);
        return new CacheStack(
            nvcache.below(dram), () -> nvcache.engine().stats().deviceWrittenBytes(), file);
      }
      return new CacheStack(dram, () -> 0, file);
    } catch (IOException | RuntimeException e) {
      dram.shutdown();
      throw e;
    }
  }

  private static BucketCache bucketCache(
      HBaseEngine engine, HBaseBenchSettings settings, Path file, Configuration configuration)
      throws IOException {
    return new BucketCache(
        engine.hasFile() ? engine.medium() + ":" + file : engine.medium(),
        settings.capacityBytes(),
        settings.blockBytes(),
        null,
        WRITERS,
        QUEUE_LENGTH,
        null,
        TOLERATED_ERRORS_MILLIS,
        configuration);
  }

  private static NvHBaseBlockCache nvcache(
      HBaseEngine engine, HBaseBenchSettings settings, Path file, Configuration configuration) {
    configuration.set(NvCacheConfiguration.MEDIUM, engine.medium());
    configuration.set(NvCacheConfiguration.READ_MODE, engine.readMode());
    if (engine.hasFile()) {
      configuration.set(NvCacheConfiguration.PATH, file.toString());
    }
    configuration.setLong(NvCacheConfiguration.CAPACITY_BYTES, settings.capacityBytes());
    configuration.setInt(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, settings.blockBytes());
    configuration.setLong(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, 0);
    configuration.set(NvCacheConfiguration.MBEAN_NAME, "bench-" + engine.label());
    return new NvHBaseBlockCache(configuration);
  }

  /** BucketCache does not count what it writes; each block that is or was in it was written. */
  private static long insertedBytes(BucketCache bucket, int blockBytes) {
    long blocks = bucket.getBlockCount() + bucket.getStats().getEvictedCount();
    return blocks * blockBytes;
  }

  BlockCache cache() {
    return cache;
  }

  /** Returns the NVCache of this stack, if it has one. */
  Optional<NvHBaseBlockCache> nvcache() {
    return NvHBaseBlockCache.in(cache);
  }

  long writtenBytes() {
    return writtenBytes.getAsLong();
  }

  @Override
  public void close() throws IOException {
    cache.shutdown();
    Files.deleteIfExists(file);
  }
}
