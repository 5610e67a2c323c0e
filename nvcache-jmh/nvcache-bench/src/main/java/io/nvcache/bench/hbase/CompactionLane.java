// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.Source;
import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.hbase.compaction.HotRows;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.jspecify.annotations.Nullable;

/** One contender that is read before, during and after a major compaction. */
final class CompactionLane implements AutoCloseable {
  private static final long STORE = HotRows.storeOf(TableName.valueOf("bench"), new byte[] {'f'});
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int WINDOWS_BEFORE = 2;
  private static final int WINDOWS_AFTER = 8;
  private static final int WINDOWS_PER_CAPACITY = 4;
  private static final int READS_BETWEEN_LOOKS = 16;

  /** More than are read during a compaction: what is read after it is read for the first time. */
  private static final int DRAWS_OF_COMPACTION = 1 << 28;

  private final CompactionContender contender;
  private final StoreFiles files;
  private final CacheStack stack;
  private final CacheConfig caches;
  private final CacheConfig cachesOfWriters;
  private final @Nullable HotRows hotRows;
  private final int windowReads;
  private final IntUnaryOperator rows;
  private final AtomicLong wrongValues;

  /** The first one is longer: as many reads are before the compaction as after it. */
  private final List<WindowReads> windows = new ArrayList<>();

  private volatile List<HStoreFile> storeFiles = new ArrayList<>();
  private final Path output;
  private int draw;

  CompactionLane(
      CompactionContender contender,
      StoreFiles files,
      List<Path> inputs,
      int rowCount,
      HBaseBenchSettings settings,
      AtomicLong wrongValues)
      throws IOException {
    this.wrongValues = wrongValues;
    this.contender = contender;
    this.files = files;
    this.stack = CacheStack.open(contender.engine(), settings);
    this.caches = new CacheConfig(files.configuration(), stack.cache());
    this.cachesOfWriters = new CacheConfig(files.configuration(), stack.cache());
    if (contender.heat() || contender.engine().isBucketCache()) {
      cachesOfWriters.enableCacheOnWrite();
    }
    nvcache().ifPresent(cache -> cache.compactions().setOutputs(outputs()));
    this.hotRows = hotRows();
    int blocks = (int) (settings.capacityBytes() / settings.blockBytes());
    this.windowReads = Math.max(1, blocks / WINDOWS_PER_CAPACITY);
    this.rows = contender.keys().rows(rowCount, settings.seed());
    this.draw = settings.seed();
    this.output = files.newPath();
    for (Path path : inputs) {
      storeFiles.add(files.openStoreFile(path, caches));
    }
  }

  private @Nullable HotRows hotRows() {
    return contender.heat()
        ? nvcache().map(cache -> cache.compactions().hotRows()).orElse(null)
        : null;
  }

  private CompactionOutputs outputs() {
    return contender.heat() ? CompactionOutputs.CARRY : CompactionOutputs.OFFER;
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
    read(new WindowReads(0), readsPerBlock * WINDOWS_PER_CAPACITY * windowReads);
  }

  /** Reads on while the files are compacted, and after it. */
  void run() throws IOException {
    measure(-WINDOWS_AFTER, (WINDOWS_AFTER - WINDOWS_BEFORE) * windowReads);
    for (int window = -WINDOWS_BEFORE; window < 0; window++) {
      measure(window, windowReads);
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
    WindowReads during = new WindowReads(0);
    do {
      read(during, READS_BETWEEN_LOOKS);
    } while (!compaction.isDone());
    join(compaction);
    end(during);
    for (HStoreFile input : inputs) {
      input.closeStoreFile(true); // As a region server does when it archives them.
    }
    draw = next;
    for (int window = 1; window <= WINDOWS_AFTER; window++) {
      measure(window, windowReads);
    }
  }

  /** Adds what was measured, window by window without the first and longer one, and in all. */
  void report(Measurements scenario) {
    Measurements out = contender.labelled(scenario);
    windows.stream().skip(1).forEach(window -> window.report(out));
    List<WindowReads> before = windows.stream().filter(each -> each.window() < 0).toList();
    List<WindowReads> after = windows.stream().filter(each -> each.window() > 0).toList();
    WindowReads.reportCost(WindowReads.together(before), WindowReads.together(after), out);
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

  private void measure(int window, int count) throws IOException {
    WindowReads reads = new WindowReads(window);
    read(reads, count);
    end(reads);
  }

  private void end(WindowReads reads) {
    reads.end(stack.writtenBytes());
    windows.add(reads);
  }

  private void read(WindowReads reads, int count) throws IOException {
    try (ThreadSource scope = ThreadSource.enter(Source.READ)) { // As a region server's gets do.
      for (int i = 0; i < count; i++) {
        int row = rows.applyAsInt(draw++);
        long bytes = StoreFiles.bytesReadByThread();
        long processorBegin = THREADS.getCurrentThreadCpuTime();
        long begin = System.nanoTime();
        boolean right = readRow(row);
        long nanos = System.nanoTime() - begin;
        reads.add(nanos, THREADS.getCurrentThreadCpuTime() - processorBegin);
        if (StoreFiles.bytesReadByThread() == bytes) {
          reads.addHit();
        }
        if (!right) {
          reads.addWrongValue();
          wrongValues.incrementAndGet();
        }
      }
    }
  }

  /** Returns whether the row was as it was written. */
  private boolean readRow(int row) throws IOException {
    if (hotRows != null) {
      hotRows.read(STORE, StoreFiles.rowKey(row)); // As the observer does on a region server.
    }
    List<HStoreFile> now = storeFiles;
    HFile.Reader reader =
        now.get(CompactionBench.inputOf(row) % now.size()).getReader().getHFileReader();
    try (HFileScanner scanner = reader.getScanner(files.configuration(), true, true)) {
      return scanner.seekTo(StoreFiles.firstOf(row)) == 0
          && BenchLane.firstInt(scanner.getCell()) == row;
    }
  }

  private void compact() throws IOException {
    List<HStoreFile> inputs = storeFiles;
    try (ThreadSource scope = ThreadSource.enter(Source.COMPACTION)) {
      nvcache().ifPresent(cache -> cache.compactions().begin());
      try (HFile.Writer writer = files.create(output, cachesOfWriters)) {
        StoreFileMerge.merge(inputs, writer, files.configuration(), this::writes);
      }
      HStoreFile merged = files.openStoreFile(output, caches);
      nvcache().ifPresent(cache -> cache.compactions().committed(inputs, merged));
      storeFiles = List.of(merged);
    }
  }

  private void writes(Cell cell) {
    if (hotRows != null) {
      byte[] row = CellUtil.cloneRow(cell);
      hotRows.written(STORE, row, 0, row.length, 1);
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
