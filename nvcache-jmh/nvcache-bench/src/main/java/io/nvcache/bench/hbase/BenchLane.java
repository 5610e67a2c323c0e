// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.Source;
import io.nvcache.hbase.ThreadSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
  private int draw;
  private int rewritten;
  private long wrongValues;
  private long scanned;

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
  }

  HBaseEngine engine() {
    return engine;
  }

  long wrongValues() {
    return wrongValues;
  }

  /** Bytes of the cells that scans came by. */
  long scannedBytes() {
    return scanned;
  }

  long writtenBytes() {
    return stack.writtenBytes();
  }

  /** Reads rows, the same ones in all lanes. */
  void read(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      int row = rows.applyAsInt(draw++);
      HFile.Reader reader = readers.get(row / StoreFiles.ROWS_PER_FILE);
      try (HFileScanner scanner = reader.getScanner(files.configuration(), true, true)) {
        if (scanner.seekTo(StoreFiles.firstOf(row)) != 0 || firstInt(scanner.getCell()) != row) {
          wrongValues++;
        }
      }
    }
  }

  private static int firstInt(Cell cell) {
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
            scanned += scanner.getCell().getSerializedSize();
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
    for (HFile.Reader reader : readers) {
      reader.close(false);
    }
    stack.close();
    for (Path path : own) {
      files.delete(path);
    }
  }
}
