// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.Source;
import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.hbase.compaction.HotRows;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.jspecify.annotations.Nullable;

/**
 * One engine that is read before, during and after a major compaction, which merges the files as a
 * region server does: on one thread, by scanners that ask the cache and fill it not.
 */
final class CompactionLane implements AutoCloseable {
  private static final long STORE = HotRows.storeOf(TableName.valueOf("bench"), new byte[] {'f'});
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final int WINDOWS_BEFORE = 2;
  private static final int WINDOWS_AFTER = 8;
  private static final int WINDOWS_PER_CAPACITY = 4;
  private static final int READS_BETWEEN_LOOKS = 16;

  /** More than are read during a compaction: what is read after it is read for the first time. */
  private static final int DRAWS_OF_COMPACTION = 1 << 28;

  /**
   * For each block of the capacity, to judge a choice by: so many that chance counts for little.
   */
  private static final int LATER_READS_PER_BLOCK = 50;

  /** Cells that the merge continues for before it gives the blocks back that it has read. */
  private static final int CELLS_PER_SHIPMENT = 1000;

  private final HBaseEngine engine;
  private final KeyOrder keys;
  private final boolean heat;
  private final StoreFiles files;
  private final CacheStack stack;
  private final CacheConfig caches;
  private final CacheConfig cachesOfWriters;
  private final @Nullable HotRows hotRows;
  private final int windowReads;
  private final IntUnaryOperator rows;
  private final AtomicLong wrongValues;

  /** The first one is longer: as many reads are before the compaction as after it. */
  private final List<Reads> windows = new ArrayList<>();

  private volatile List<HStoreFile> storeFiles = new ArrayList<>();
  private final Path output;
  private int draw;

  CompactionLane(
      HBaseEngine engine,
      KeyOrder keys,
      boolean heat,
      StoreFiles files,
      List<Path> inputs,
      int rowCount,
      HBaseBenchSettings settings,
      AtomicLong wrongValues)
      throws IOException {
    this.wrongValues = wrongValues;
    this.engine = engine;
    this.keys = keys;
    this.heat = heat;
    this.files = files;
    this.stack = CacheStack.open(engine, settings);
    this.caches = new CacheConfig(files.configuration(), stack.cache());
    this.cachesOfWriters = new CacheConfig(files.configuration(), stack.cache());
    if (heat || engine.isBucketCache()) {
      cachesOfWriters.enableCacheOnWrite();
    }
    nvcache().ifPresent(cache -> cache.compactions().setOutputs(outputs(heat)));
    this.hotRows = hotRows();
    int blocks = (int) (settings.capacityBytes() / settings.blockBytes());
    this.windowReads = Math.max(1, blocks / WINDOWS_PER_CAPACITY);
    this.rows = keys.rows(rowCount, settings.seed());
    this.draw = settings.seed();
    this.output = files.newPath();
    for (Path path : inputs) {
      storeFiles.add(files.openStoreFile(path, caches));
    }
  }

  private @Nullable HotRows hotRows() {
    return heat ? nvcache().map(cache -> cache.compactions().hotRows()).orElse(null) : null;
  }

  private static CompactionOutputs outputs(boolean heat) {
    return heat ? CompactionOutputs.CARRY : CompactionOutputs.OFFER;
  }

  private Optional<NvHBaseBlockCache> nvcache() {
    return stack.nvcache();
  }

  /**
   * Reads before anything is measured.
   *
   * @param readsPerBlock for each block of the capacity
   */
  void warm(int readsPerBlock) throws IOException {
    new Reads().read(readsPerBlock * WINDOWS_PER_CAPACITY * windowReads);
  }

  /** Reads on while the files are compacted, and after it. */
  void run() throws IOException {
    Reads steady = new Reads();
    steady.read((WINDOWS_AFTER - WINDOWS_BEFORE) * windowReads);
    windows.add(steady.ended(-WINDOWS_AFTER));
    for (int window = -WINDOWS_BEFORE; window < 0; window++) {
      measure(window);
    }
    FutureTask<Void> compaction =
        new FutureTask<>(
            () -> {
              compact();
              return null;
            });
    new Thread(compaction, "bench-shortCompactions-0").start();
    List<HStoreFile> inputs = storeFiles;
    int next = draw + DRAWS_OF_COMPACTION; // However many of them the compaction leaves time for.
    Reads during = new Reads();
    do {
      during.read(READS_BETWEEN_LOOKS);
    } while (!compaction.isDone());
    join(compaction);
    windows.add(during.ended(0));
    for (HStoreFile input : inputs) {
      input.closeStoreFile(true); // As a region server does when it archives them.
    }
    draw = next;
    for (int window = 1; window <= WINDOWS_AFTER; window++) {
      measure(window);
    }
  }

  /** Returns what was measured, window by window, without the first and longer one. */
  List<CompactionWindow> windows() {
    return windows.stream().skip(1).map(Reads::window).toList();
  }

  /** Returns what the compaction cost in all. */
  CompactionCost cost() {
    List<Reads> before = windows.stream().filter(window -> window.number < 0).toList();
    List<Reads> after = windows.stream().filter(window -> window.number > 0).toList();
    return CompactionCost.of(together(before).window(), together(after).window());
  }

  private Reads together(List<Reads> parts) {
    Reads whole = new Reads();
    whole.count = parts.stream().mapToInt(part -> part.count).sum();
    whole.nanos =
        parts.stream().flatMapToLong(part -> Arrays.stream(part.nanos, 0, part.count)).toArray();
    whole.processorNanos =
        parts.stream()
            .flatMapToLong(part -> Arrays.stream(part.processorNanos, 0, part.count))
            .toArray();
    whole.hits = parts.stream().mapToLong(part -> part.hits).sum();
    whole.writtenBytes = parts.get(parts.size() - 1).writtenBytes;
    return whole;
  }

  /**
   * Reads nothing from the compaction on, until its hot blocks are carried, and says which these
   * are.
   */
  CarriedChoice choose() throws IOException {
    List<HStoreFile> inputs = storeFiles;
    compact();
    for (HStoreFile input : inputs) {
      input.closeStoreFile(true);
    }
    NvHBaseBlockCache cache = nvcache().orElseThrow();
    awaitCarried(cache);
    BlocksOfRows blocks = BlocksOfRows.of(files, output);
    Set<Long> carried = new HashSet<>();
    cache.iterator().forEachRemaining(block -> carried.add(block.getOffset()));
    Map<Long, Integer> reads = new HashMap<>();
    int future = LATER_READS_PER_BLOCK * WINDOWS_PER_CAPACITY * windowReads;
    for (int i = 0; i < future; i++) {
      reads.merge(blocks.offsetOf(rows.applyAsInt(draw + i)), 1, Integer::sum);
    }
    long kept = carried.stream().mapToLong(offset -> reads.getOrDefault(offset, 0)).sum();
    long best =
        reads.values().stream()
            .sorted(Comparator.reverseOrder())
            .limit(carried.size())
            .mapToLong(Integer::longValue)
            .sum();
    return new CarriedChoice(engine, keys, blocks.count(), carried.size(), future, kept, best);
  }

  /** Until as many blocks are cached as a moment ago. */
  private static void awaitCarried(NvHBaseBlockCache cache) {
    long before;
    do {
      before = cache.getBlockCount();
      LockSupport.parkNanos(STILL_NANOS);
    } while (cache.getBlockCount() > before);
  }

  private static void join(FutureTask<Void> compaction) throws IOException {
    try {
      compaction.get();
    } catch (ExecutionException e) {
      throw new IOException("the compaction failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in a compaction", e);
    }
  }

  private void measure(int window) throws IOException {
    Reads reads = new Reads();
    reads.read(windowReads);
    windows.add(reads.ended(window));
  }

  /** The reads of one window. */
  private final class Reads {
    private long[] nanos = new long[1024];
    private long[] processorNanos = new long[1024];
    private int count;
    private int number;
    private long writtenBytes;
    private long hits;
    private long wrong;

    void read(int more) throws IOException {
      try (ThreadSource scope = ThreadSource.enter(Source.READ)) { // As a region server's gets do.
        readRows(more);
      }
    }

    private void readRows(int more) throws IOException {
      for (int i = 0; i < more; i++) {
        long bytes = StoreFiles.bytesReadByThread();
        if (count == nanos.length) {
          nanos = Arrays.copyOf(nanos, 2 * count);
          processorNanos = Arrays.copyOf(processorNanos, 2 * count);
        }
        long processorBegin = THREADS.getCurrentThreadCpuTime();
        long begin = System.nanoTime();
        readRow(rows.applyAsInt(draw++));
        nanos[count] = System.nanoTime() - begin;
        processorNanos[count] = THREADS.getCurrentThreadCpuTime() - processorBegin;
        count++;
        hits += StoreFiles.bytesReadByThread() == bytes ? 1 : 0;
      }
    }

    private void readRow(int row) throws IOException {
      if (hotRows != null) {
        hotRows.read(STORE, StoreFiles.rowKey(row)); // As the observer does on a region server.
      }
      List<HStoreFile> now = storeFiles;
      HFile.Reader reader =
          now.get(CompactionBench.inputOf(row) % now.size()).getReader().getHFileReader();
      try (HFileScanner scanner = reader.getScanner(files.configuration(), true, true)) {
        if (scanner.seekTo(StoreFiles.firstOf(row)) != 0
            || BenchLane.firstInt(scanner.getCell()) != row) {
          wrong++;
          wrongValues.incrementAndGet();
        }
      }
    }

    /** Takes no time: what runs next to the reads must not get ahead. */
    Reads ended(int window) {
      number = window;
      writtenBytes = stack.writtenBytes();
      return this;
    }

    CompactionWindow window() {
      return new CompactionWindow(
          engine,
          keys,
          heat,
          number,
          count,
          hits,
          percentiles(nanos),
          percentiles(processorNanos),
          writtenBytes,
          wrong);
    }

    private Map<String, Double> percentiles(long[] ofAll) {
      long[] sorted = Arrays.copyOf(ofAll, count);
      Arrays.sort(sorted);
      return Map.of(
          "50", micros(sorted, 0.5), "99", micros(sorted, 0.99), "99.9", micros(sorted, 0.999));
    }

    private static double micros(long[] sorted, double part) {
      return sorted[(int) (sorted.length * part)] / 1e3;
    }
  }

  private void compact() throws IOException {
    List<HStoreFile> inputs = storeFiles;
    try (ThreadSource scope = ThreadSource.enter(Source.COMPACTION)) {
      nvcache().ifPresent(cache -> cache.compactions().begin());
      merge(inputs);
      HStoreFile merged = files.openStoreFile(output, caches);
      nvcache().ifPresent(cache -> cache.compactions().committed(inputs, merged));
      storeFiles = List.of(merged);
    }
  }

  private void merge(List<HStoreFile> inputs) throws IOException {
    PriorityQueue<HFileScanner> byKey =
        new PriorityQueue<>(
            Comparator.comparing(HFileScanner::getCell, CellComparator.getInstance()));
    List<HFileScanner> scanners = new ArrayList<>();
    try (HFile.Writer writer = files.create(output, cachesOfWriters)) {
      for (HStoreFile input : inputs) {
        HFileScanner scanner =
            input.getReader().getHFileReader().getScanner(files.configuration(), false, true, true);
        scanners.add(scanner);
        if (scanner.seekTo()) {
          byKey.add(scanner);
        }
      }
      int cells = 0;
      while (!byKey.isEmpty()) {
        HFileScanner least = byKey.remove();
        if (hotRows != null) {
          byte[] row = CellUtil.cloneRow(least.getCell());
          hotRows.written(STORE, row, 0, row.length, 1);
        }
        writer.append(least.getCell());
        if (least.next()) {
          byKey.add(least);
        }
        if (++cells % CELLS_PER_SHIPMENT == 0) {
          writer.beforeShipped();
          for (HFileScanner scanner : scanners) {
            scanner.shipped();
          }
        }
      }
    } finally {
      scanners.forEach(HFileScanner::close);
    }
  }

  @Override
  public void close() throws IOException {
    for (HStoreFile file : storeFiles) {
      file.closeStoreFile(false);
    }
    stack.close();
    files.delete(output);
  }
}
