// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.PrefetchExecutor;

/**
 * What HBase's prefetch fetches when regions are opened: how much of it the second level keeps, and
 * how much is fetched once more when the same regions are closed and opened again. The engines have
 * their turns one after the other, on the same files.
 */
final class PrefetchBench {
  /** Without a byte that is fetched. */
  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static final int FILES_PER_REGION = 2;

  /** HBase prefetches nothing of a file whose index it has not read when this is over. */
  private static final int PREFETCH_DELAY_MILLIS = 500;

  /** Without a choice of engines, these are compared. */
  private static final List<HBaseEngine> DEFAULT =
      List.of(HBaseEngine.BUCKET_FILE, HBaseEngine.NVCACHE_NATIVE, HBaseEngine.NVCACHE_FLASH);

  private final HBaseScenario scenario;
  private final HBaseBenchSettings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final java.nio.file.Path directory;
  private final List<Path> paths = new ArrayList<>();
  private final Map<String, String> regionOf = new HashMap<>();
  private final Map<String, Long> bytesOf = new HashMap<>();

  PrefetchBench(
      HBaseScenario scenario,
      HBaseBenchSettings settings,
      Progress progress,
      StopSignal stop,
      java.nio.file.Path directory) {
    this.scenario = scenario;
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
    this.directory = directory;
  }

  /** Measures; what was not begun when a stop was asked for is left out. */
  void run(Measurements out) throws IOException {
    StoreFiles files = new StoreFiles(directory, settings);
    files.configuration().setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    files.configuration().setInt(PrefetchExecutor.PREFETCH_DELAY, PREFETCH_DELAY_MILLIS);
    PrefetchExecutor.loadConfiguration(files.configuration());
    List<HBaseEngine> engines = engines();
    try (Progress.Phase phase = progress.begin(scenario.label(), engines.size())) {
      write(files);
      int done = 0;
      for (HBaseEngine engine : engines) {
        if (stop.isRequested()) {
          break;
        }
        run(engine, files, out.with("engine", engine.label()));
        phase.at(++done, engine.label());
      }
    } finally {
      files.delayReads(false);
      delete(files);
    }
  }

  private List<HBaseEngine> engines() {
    boolean all = settings.engines().size() == HBaseEngine.values().length;
    return (all ? DEFAULT : settings.engines())
        .stream().filter(engine -> engine != HBaseEngine.NONE).toList();
  }

  private void write(StoreFiles files) throws IOException {
    int count = files.countFor(scenario.dataBytes(settings.capacityBytes()));
    for (int number = 0; number < count; number++) {
      String region = "region" + number / FILES_PER_REGION;
      java.nio.file.Path family = Files.createDirectories(directory.resolve(region).resolve("f"));
      Path path = files.write(number, files.newPathIn(family), CacheConfig.DISABLED);
      paths.add(path);
      regionOf.put(path.getName(), region);
      bytesOf.put(path.getName(), Files.size(java.nio.file.Path.of(path.toUri())));
    }
  }

  private void delete(StoreFiles files) throws IOException {
    for (Path path : paths) {
      files.delete(path);
    }
    for (String region : Set.copyOf(regionOf.values())) {
      Files.deleteIfExists(directory.resolve(region).resolve("f"));
      Files.deleteIfExists(directory.resolve(region));
    }
  }

  private void run(HBaseEngine engine, StoreFiles files, Measurements out) throws IOException {
    try (CacheStack stack = CacheStack.open(engine, settings)) {
      CacheConfig caches = new CacheConfig(files.configuration(), stack.cache());
      files.delayReads(true);
      long fetchedBytes = openAll(files, caches);
      Map<String, Long> cached = walk(stack.cache());
      double regionError = regionRatioError(cached, stack.cache());
      long cachedBytes = sum(cached);
      double notCached =
          fetchedBytes == 0 ? 0 : Math.max(0, 1 - (double) cachedBytes / fetchedBytes);
      out.add("prefetch_data_bytes", sum(bytesOf), "bytes")
          .add("prefetch_fetched_bytes", fetchedBytes, "bytes")
          .add("prefetch_cached_bytes", cachedBytes, "bytes")
          .add("prefetch_fetched_not_cached_ratio", notCached, "ratio")
          .add("region_ratio_error", regionError, "ratio");
      if (scenario == HBaseScenario.REOPEN) {
        out.add("reopen_fetched_bytes", openAll(files, caches), "bytes");
      }
    } finally {
      files.delayReads(false);
    }
  }

  /** Opens all files, waits for their prefetches, and closes them, whose blocks stay. */
  private long openAll(StoreFiles files, CacheConfig caches) throws IOException {
    long before = StoreFiles.bytesRead();
    List<HFile.Reader> readers = new ArrayList<>();
    try {
      for (Path path : paths) {
        readers.add(files.open(path, caches));
      }
      for (Path path : paths) {
        awaitPrefetch(path);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted in a prefetch");
    } finally {
      for (HFile.Reader reader : readers) {
        reader.close(false);
      }
    }
    awaitWriters(caches);
    return StoreFiles.bytesRead() - before;
  }

  /**
   * Waits for a prefetch, and cancels one that rests. That into BucketCache may never end: it waits
   * for the writers, and on HBase 2.6 these may find no room and nothing to evict for good.
   */
  private static void awaitPrefetch(Path path) throws InterruptedException {
    long fetched = StoreFiles.bytesRead();
    long since = System.nanoTime();
    while (!PrefetchExecutor.isCompleted(path)) {
      long now = StoreFiles.bytesRead();
      if (now != fetched) {
        fetched = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since >= LONGEST_REST_NANOS) {
        PrefetchExecutor.cancel(path);
        return;
      }
      Thread.sleep(1);
    }
  }

  /** BucketCache writes in the background. */
  private static void awaitWriters(CacheConfig caches) throws IOException {
    BlockCache cache = caches.getBlockCache().orElseThrow();
    long blocks;
    do {
      blocks = cache.getBlockCount();
      try {
        Thread.sleep(PREFETCH_DELAY_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while blocks are written");
      }
    } while (cache.getBlockCount() != blocks);
  }

  /** Returns the bytes of each region's cached blocks, each block looked at. */
  private Map<String, Long> walk(BlockCache cache) {
    Map<String, Long> bytes = new HashMap<>();
    for (CachedBlock block : cache) {
      String region = regionOf.get(block.getFilename());
      if (region != null) {
        bytes.merge(region, block.getSize(), Long::sum);
      }
    }
    return bytes;
  }

  /** Returns by how much the share of a region that is reported is wrong, at most. */
  private double regionRatioError(Map<String, Long> walked, BlockCache cache) {
    Map<String, Long> reported = cache.getRegionCachedInfo().orElse(Map.of());
    Map<String, Long> bytes = new HashMap<>();
    bytesOf.forEach((file, length) -> bytes.merge(regionOf.get(file), length, Long::sum));
    return bytes.entrySet().stream()
        .mapToDouble(
            region ->
                (double)
                        Math.abs(
                            reported.getOrDefault(region.getKey(), 0L)
                                - walked.getOrDefault(region.getKey(), 0L))
                    / region.getValue())
        .max()
        .orElse(0);
  }

  private static long sum(Map<String, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }
}
