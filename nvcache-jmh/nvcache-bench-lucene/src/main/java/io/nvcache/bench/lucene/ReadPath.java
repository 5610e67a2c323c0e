// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.BlockCache;
import io.nvcache.lucene.FileClassCounts;
import io.nvcache.lucene.LuceneCache;
import io.nvcache.lucene.LuceneCacheBuilder;
import io.nvcache.lucene.NvCacheDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.ToLongFunction;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/** An engine with its memory, which opens folders. */
abstract class ReadPath implements AutoCloseable {
  private final DelayedDirectory.Latency latency;

  private ReadPath(Duration latency) {
    this.latency = new DelayedDirectory.Latency(latency);
  }

  /** Opens a folder whose files are late. */
  abstract Directory open(Path folder) throws IOException;

  /** Blocks that were found so far. */
  abstract long hits();

  /** Blocks that were looked for so far; 0 if the engine knows nothing of blocks. */
  abstract long lookups();

  /** Turns the delay of reads off for a while, or on again. */
  final void pauseDelay(boolean on) {
    latency.pause(on);
  }

  @Override
  public void close() {}

  /** Makes an engine. */
  static ReadPath of(LuceneEngine engine, long capacityBytes, Duration latency) {
    return switch (engine) {
      case NIOFS -> new Plain(latency);
      case MMAP -> new Mapped();
      case CAFFEINE_DIRECT -> new OverCaffeine(capacityBytes, latency);
      case DEFAULT_WARM -> new OverParts(capacityBytes, latency);
      case NVCACHE -> new OverNvCache(capacityBytes, latency);
    };
  }

  final Directory delayed(Path folder) throws IOException {
    Directory files = new NIOFSDirectory(folder);
    return latency.nanos() == 0 ? files : new DelayedDirectory(files, latency);
  }

  private static class Plain extends ReadPath {
    Plain(Duration latency) {
      super(latency);
    }

    @Override
    Directory open(Path folder) throws IOException {
      return delayed(folder);
    }

    @Override
    long hits() {
      return 0;
    }

    @Override
    long lookups() {
      return 0;
    }
  }

  private static final class Mapped extends Plain {
    Mapped() {
      super(Duration.ZERO);
    }

    @Override
    Directory open(Path folder) throws IOException {
      return new MMapDirectory(folder);
    }
  }

  private static final class OverCaffeine extends ReadPath {
    private final CaffeineBlocks blocks;

    OverCaffeine(long capacityBytes, Duration latency) {
      super(latency);
      this.blocks = new CaffeineBlocks(capacityBytes);
    }

    @Override
    Directory open(Path folder) throws IOException {
      return new CaffeineDirectory(delayed(folder), blocks, folder + "/");
    }

    @Override
    long hits() {
      return blocks.hits();
    }

    @Override
    long lookups() {
      return blocks.lookups();
    }
  }

  private static final class OverParts extends ReadPath {
    private final DefaultWarmParts parts;

    OverParts(long capacityBytes, Duration latency) {
      super(latency);
      this.parts = new DefaultWarmParts(capacityBytes);
    }

    @Override
    Directory open(Path folder) throws IOException {
      return new DefaultWarmDirectory(delayed(folder), parts);
    }

    @Override
    long hits() {
      return parts.hits();
    }

    @Override
    long lookups() {
      return parts.lookups();
    }

    @Override
    public void close() {
      parts.close();
    }
  }

  private static final class OverNvCache extends ReadPath {
    private static final int BLOCK_BYTES = LuceneCacheBuilder.DEFAULT_BLOCK_BYTES;

    private final LuceneCache cache;

    OverNvCache(long capacityBytes, Duration latency) {
      super(latency);
      BlockCache blocks =
          BlockCache.builder()
              .maxBlockBytes(BLOCK_BYTES)
              .expectedBlockBytes(BLOCK_BYTES)
              .nativeMemory(capacityBytes)
              .build();
      this.cache = LuceneCache.builder(blocks).build();
    }

    @Override
    Directory open(Path folder) throws IOException {
      return new NvCacheDirectory(delayed(folder), cache);
    }

    private long sum(ToLongFunction<FileClassCounts> count) {
      return cache.countsByExtension().values().stream().mapToLong(count).sum();
    }

    @Override
    long hits() {
      return sum(FileClassCounts::hits);
    }

    @Override
    long lookups() {
      return sum(counts -> counts.hits() + counts.misses());
    }

    @Override
    public void close() {
      cache.close();
    }
  }
}
