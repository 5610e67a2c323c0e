// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many readers of one cold block are one read of the file, with the default policies. */
class HerdTest {
  private static final int THREADS = 16;
  private static final int BLOCKS = 200;
  private static final int BLOCK_BYTES = 8192;

  @TempDir private Path directory;

  /** At a target of 0 every block is refused, as most are once the cache is full. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0})
  void shouldReadEachColdBlockOnce(double overheadTarget) throws Exception {
    Configuration configuration = new Configuration();
    FileSystem fileSystem = new RawLocalFileSystem();
    fileSystem.initialize(URI.create("file:///"), configuration);
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(directory.resolve("hfile").toUri());
    List<KeyValue> first = write(fileSystem, file, configuration);
    BlockCache engine =
        BlockCache.builder()
            .nativeMemory(16 << 20)
            .smallBypassDramBytes(0)
            .overheadTarget(overheadTarget)
            .expectedBlockBytes(BLOCK_BYTES)
            .build();
    NvHBaseBlockCache cache = new NvHBaseBlockCache(engine, new FileIdRegistry());
    LruBlockCache dram = new LruBlockCache(4 << 20, BLOCK_BYTES, true, configuration);
    CacheConfig caches = new CacheConfig(configuration, cache.below(dram));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (HFile.Reader reader = HFile.createReader(fileSystem, file, caches, true, configuration)) {
      long before = bytesRead();
      CyclicBarrier together = new CyclicBarrier(THREADS);
      List<Callable<Integer>> readers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        readers.add(
            () -> {
              int right = 0;
              for (KeyValue key : first) {
                together.await();
                try (HFileScanner scanner = reader.getScanner(configuration, true, true)) {
                  right += scanner.seekTo(key) == 0 ? 1 : 0;
                }
              }
              return right;
            });
      }
      for (Future<Integer> right : threads.invokeAll(readers)) {
        assertThat(right.get()).isEqualTo(BLOCKS);
      }
      double fileReads = (double) (bytesRead() - before) / BLOCK_BYTES;
      // Blocks are a little longer than asked for, each by less than a cell.
      assertThat(fileReads).isBetween(BLOCKS * 0.9, 202 * 1.05);
      assertThat(engine.stats().pinnedBytes()).isZero();
      if (overheadTarget == 0) {
        assertThat(engine.stats().blocks()).as("all were refused").isZero();
      }
    } finally {
      threads.shutdownNow();
      caches.getBlockCache().orElseThrow().shutdown();
    }
  }

  private static List<KeyValue> write(
      FileSystem fileSystem, org.apache.hadoop.fs.Path file, Configuration configuration)
      throws Exception {
    int rowsPerBlock = 32;
    List<KeyValue> first = new ArrayList<>();
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(configuration)
            .withPath(fileSystem, file)
            .withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES).build())
            .create()) {
      for (int row = 0; row < BLOCKS * rowsPerBlock; row++) {
        KeyValue cell =
            new KeyValue(
                Bytes.toBytes(row),
                Bytes.toBytes("f"),
                Bytes.toBytes("q"),
                1,
                new byte[BLOCK_BYTES / rowsPerBlock - 26]);
        writer.append(cell);
        if (row % rowsPerBlock == 0) {
          first.add(cell);
        }
      }
    }
    return first;
  }

  @SuppressWarnings("deprecation") // What took its place tells classes of one scheme not apart.
  private static long bytesRead() {
    return FileSystem.getStatistics("file", RawLocalFileSystem.class).getBytesRead();
  }
}
