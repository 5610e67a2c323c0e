// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.trace.Zipfian;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads rows that PerformanceEvaluation wrote, each thread one after the other over one connection,
 * as its {@code randomRead} does, but by YCSB's scrambled zipfian distribution: the hottest rows
 * lie all over the table.
 */
final class ZipfianReads {
  /** Of PerformanceEvaluation, as are digits with zeros before them. */
  private static final int KEY_BYTES = 26;

  private final int rows;
  private final int threads;
  private final Duration delay;
  private final Zipfian zipfian;

  ZipfianReads(ClientsSettings settings) {
    this.rows = settings.rows();
    this.threads = settings.threads();
    this.delay = settings.servers().delay();
    this.zipfian = new Zipfian(rows);
  }

  /**
   * Reads.
   *
   * @param seed of the choice of rows
   * @throws IllegalStateException if a row is not there
   */
  LoadResult read(Connection connection, int reads, long seed)
      throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      SplittableRandom seeds = new SplittableRandom(seed);
      long begin = System.nanoTime();
      List<Future<ReadTimes>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        SplittableRandom random = seeds.split();
        parts.add(pool.submit(() -> read(connection, reads / threads, random)));
      }
      List<ReadTimes> times = new ArrayList<>();
      for (Future<ReadTimes> part : parts) {
        times.add(part.get());
      }
      double seconds = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
      return result(times, seconds);
    } catch (ExecutionException e) {
      throw new IOException("a read failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private ReadTimes read(Connection connection, int reads, SplittableRandom random)
      throws IOException {
    ReadTimes times = new ReadTimes(reads);
    try (Table table = connection.getTable(TableName.valueOf(LoadGenerators.TABLE))) {
      for (int i = 0; i < reads; i++) {
        long row = Zipfian.scramble(zipfian.rank(random.nextDouble())) % rows;
        long begin = System.nanoTime();
        Result found = table.get(new Get(key(row)));
        times.add(row, begin, System.nanoTime());
        if (found.isEmpty()) {
          throw new IllegalStateException("row " + row + " of " + rows + " is not there");
        }
      }
    }
    return times;
  }

  /** Returns the key of a row. */
  static byte[] key(long row) {
    byte[] key = new byte[KEY_BYTES];
    long rest = row;
    for (int i = KEY_BYTES - 1; i >= 0; i--) {
      key[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return key;
  }

  private LoadResult result(List<ReadTimes> times, double seconds) {
    Histogram micros = ReadTimes.micros(times);
    Map<String, Double> byPercentile = new HashMap<>();
    for (String percentile : LoadResult.PERCENTILES) {
      byPercentile.put(
          percentile, (double) micros.getValueAtPercentile(Double.parseDouble(percentile)));
    }
    return new LoadResult(
        micros.getTotalCount(),
        micros.getTotalCount() / seconds,
        byPercentile,
        ReadTimes.servedP99(times, delay));
  }
}
