// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.Source;
import io.nvcache.hbase.blocks.ThreadSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** One engine in one scenario: its caches, and readers of the scenario's files through them. */
final class BenchLane implements AutoCloseable {
  private final HBaseEngine engine;
  private final StoreFiles files;
  private final CacheStack stack;
  private final CacheConfig caches;
  private final CacheConfig cachesOfWriters;
  private final List<HFile.Reader> readers = new ArrayList<>();
  private final List<Path> own = new ArrayList<>();
  private final IntUnaryOperator rows;
  private final ExecutorService threads;
  private final int threadCount;
  private int draw;
  private int rewritten;
  private final AtomicLong wrongValues = new AtomicLong();

  BenchLane(
      HBaseEngine engine,
      StoreFiles files,
      List<Path> paths,
      HBaseScenario scenario,
      HBaseBenchSettings settings)
      throws IOException {
    this.engine = engine;
    this.files = files;
    this.stack = CacheStack.open(engine, settings);
    this.caches = new CacheConfig(files.configuration(), stack.cache());
    this.cachesOfWriters = new CacheConfig(files.configuration(), stack.cache());
    cachesOfWriters.enableCacheOnWrite();
    for (Path path : paths) {
      readers.add(files.open(path, caches));
    }
    this.rows = scenario.rows(paths.size() * StoreFiles.ROWS_PER_FILE);
    this.draw = settings.seed();
    this.threadCount = settings.threads();
    this.threads = Executors.newFixedThreadPool(threadCount); // Kept: what ends is not counted.
  }

  HBaseEngine engine() {
    return engine;
  }

  long wrongValues() {
    return wrongValues.get();
  }

  long writtenBytes() {
    return stack.writtenBytes();
  }

  /**
   * Reads rows, the same ones in all lanes; each thread its part of them.
   *
   * @return how long each read took that read no file, in nanoseconds
   */
  long[] read(int count) throws IOException {
    int first = draw;
    draw += count;
    List<Future<long[]>> parts = new ArrayList<>();
    for (int i = 0; i < threadCount; i++) {
      int part = i;
      parts.add(threads.submit(() -> read(first, part, count)));
    }
    try {
      List<long[]> all = new ArrayList<>();
      for (Future<long[]> part : parts) {
        all.add(part.get());
      }
      return all.stream().flatMapToLong(Arrays::stream).toArray();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted in reads of " + engine.label());
    }
  }

  /** Reads every so-many-th row; draws wrap round after a large seed. */
  private long[] read(int first, int part, int count) throws IOException {
    long[] nanos = new long[count / threadCount + 1];
    int served = 0;
    try (ThreadSource scope = ThreadSource.enter(Source.READ)) { // As a region server's gets do.
      for (int i = part; i < count; i += threadCount) {
        long read = StoreFiles.bytesReadByThread();
        long begin = System.nanoTime();
        readRow(rows.applyAsInt(first + i));
        long end = System.nanoTime();
        if (StoreFiles.bytesReadByThread() == read) {
          nanos[served++] = end - begin;
        }
      }
    }
    return Arrays.copyOf(nanos, served);
  }

  private void readRow(int row) throws IOException {
    HFile.Reader reader = readers.get(row / StoreFiles.ROWS_PER_FILE);
    try (HFileScanner scanner = reader.getScanner(files.configuration(), true, true)) {
      if (scanner.seekTo(StoreFiles.firstOf(row)) != 0 || firstInt(scanner.getCell()) != row) {
        wrongValues.incrementAndGet();
      }
    }
  }

  static int firstInt(Cell cell) {
    return cell instanceof ByteBufferExtendedCell extended
        ? extended.getValueByteBuffer().getInt(extended.getValuePosition())
        : Bytes.toInt(cell.getValueArray(), cell.getValueOffset());
  }

  /** Scans files that are not read otherwise, as a region server's scan does. */
  void scan(List<Path> cold) throws IOException {
    try (ThreadSource scope = ThreadSource.enter(Source.SCAN)) {
      for (Path path : cold) {
        HFile.Reader reader = files.open(path, caches);
        try (HFileScanner scanner = reader.getScanner(files.configuration(), true, false)) {
          for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
            int unused = scanner.getCell().getSerializedSize(); // It reads the cell.
          }
        } finally {
          reader.close(false);
        }
      }
    }
  }

  /** Compacts one file after the other: its blocks are cached as they are written. */
  void rewriteOne() throws IOException {
    int number = rewritten++ % readers.size();
    Path path;
    try (ThreadSource scope = ThreadSource.enter(Source.COMPACTION)) {
      path = files.write(number, cachesOfWriters);
    }
    own.add(path);
    HFile.Reader old = readers.set(number, files.open(path, caches));
    old.close(true);
  }

  @Override
  public void close() throws IOException {
    threads.shutdown();
    for (HFile.Reader reader : readers) {
      reader.close(false);
    }
    stack.close();
    for (Path path : own) {
      files.delete(path);
    }
  }
}
