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
  /** Opens a folder whose files are late. */
  abstract Directory open(Path folder) throws IOException;

  /** Opens a folder whose files are at hand, by the same memory. */
  abstract Directory openAtHand(Path folder) throws IOException;

  /** Blocks that were found so far. */
  abstract long hits();

  /** Blocks that were looked for so far; 0 if the engine knows nothing of blocks. */
  abstract long lookups();

  @Override
  public abstract void close();

  static ReadPath of(LuceneEngine engine, long capacityBytes, Duration latency) {
    return switch (engine) {
      case NIOFS -> new Plain(engine, latency);
      case MMAP -> new Plain(engine, Duration.ZERO);
      case CAFFEINE_DIRECT -> new OverCaffeine(capacityBytes, latency);
      case NVCACHE -> new OverNvCache(capacityBytes, latency);
    };
  }

  private static Directory delayed(Path folder, Duration latency) throws IOException {
    Directory files = new NIOFSDirectory(folder);
    return latency.isZero() ? files : new DelayedDirectory(files, latency);
  }

  private static final class Plain extends ReadPath {
    private final LuceneEngine engine;
    private final Duration latency;

    Plain(LuceneEngine engine, Duration latency) {
      this.engine = engine;
      this.latency = latency;
    }

    @Override
    Directory open(Path folder) throws IOException {
      return engine == LuceneEngine.MMAP ? new MMapDirectory(folder) : delayed(folder, latency);
    }

    @Override
    Directory openAtHand(Path folder) throws IOException {
      return engine == LuceneEngine.MMAP ? new MMapDirectory(folder) : new NIOFSDirectory(folder);
    }

    @Override
    long hits() {
      return 0;
    }

    @Override
    long lookups() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private static final class OverCaffeine extends ReadPath {
    private final CaffeineBlocks blocks;
    private final Duration latency;

    OverCaffeine(long capacityBytes, Duration latency) {
      this.blocks = new CaffeineBlocks(capacityBytes);
      this.latency = latency;
    }

    @Override
    Directory open(Path folder) throws IOException {
      return new CaffeineDirectory(delayed(folder, latency), blocks, folder + "/");
    }

    @Override
    Directory openAtHand(Path folder) throws IOException {
      return new CaffeineDirectory(new NIOFSDirectory(folder), blocks, folder + "/");
    }

    @Override
    long hits() {
      return blocks.hits();
    }

    @Override
    long lookups() {
      return blocks.lookups();
    }

    @Override
    public void close() {}
  }

  private static final class OverNvCache extends ReadPath {
    private static final int BLOCK_BYTES = LuceneCacheBuilder.DEFAULT_BLOCK_BYTES;

    private final LuceneCache cache;
    private final Duration latency;

    OverNvCache(long capacityBytes, Duration latency) {
      BlockCache blocks =
          BlockCache.builder()
              .nativeMemory(capacityBytes)
              .maxBlockBytes(BLOCK_BYTES)
              .expectedBlockBytes(BLOCK_BYTES)
              .build();
      this.cache = LuceneCache.builder(blocks).build();
      this.latency = latency;
    }

    @Override
    Directory open(Path folder) throws IOException {
      return new NvCacheDirectory(delayed(folder, latency), cache);
    }

    @Override
    Directory openAtHand(Path folder) throws IOException {
      return new NvCacheDirectory(new NIOFSDirectory(folder), cache);
    }

    private long sum(ToLongFunction<FileClassCounts> count) {
      return cache.countsByExtension().values().stream().mapToLong(count).sum();
    }

    @Override
    long hits() {
      return sum(counts -> counts.hits());
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
