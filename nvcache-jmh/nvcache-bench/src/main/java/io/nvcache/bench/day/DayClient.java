// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.trace.Zipfian;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * The client of one server: threads that read and write rows, each one after the other, which are
 * chosen as YCSB does, by a scrambled zipfian distribution: the hottest rows lie all over the
 * table. Each read is checked. For one thread, which calls it.
 */
final class DayClient {
  private static final int DIGITS = 3;
  private static final int PERCENT = 100;

  /** Parts of a turn for which figures are kept. */
  private static final int PARTS = 4;

  /** Rows that a scan fetches at once. */
  private static final int SCANNED_ROWS = 500;

  private final DayServer server;
  private final DaySettings settings;
  private final Zipfian zipfian;
  private final Recorder micros = new Recorder(DIGITS);
  private final LongAdder failedReads = new LongAdder();
  private final LongAdder failedWrites = new LongAdder();
  private final LongAdder wrongReads = new LongAdder();
  private long storeRequests;
  private long writtenBytes;
  private int turns;

  DayClient(DayServer server, DaySettings settings) {
    this.server = server;
    this.settings = settings;
    this.zipfian = new Zipfian(settings.rows());
  }

  long failedReads() {
    return failedReads.sum();
  }

  long failedWrites() {
    return failedWrites.sum();
  }

  long wrongReads() {
    return wrongReads.sum();
  }

  /** Reads and writes for one turn. */
  List<DaySample> turn(DayPhase phase) throws IOException, InterruptedException {
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      List<DaySample> samples = new ArrayList<>();
      List<Future<?>> running = new ArrayList<>();
      SplittableRandom seeds = new SplittableRandom(turns); // The same rows for all engines.
      storeRequests = server.storeRequests();
      micros.reset();
      long begin = System.nanoTime();
      long end = begin + settings.turn().toNanos();
      for (int i = 0; i < settings.threads(); i++) {
        SplittableRandom random = seeds.split();
        running.add(pool.submit(until(end, random)));
      }
      if (phase == DayPhase.SCANNING) {
        running.add(pool.submit(() -> scan(begin)));
      }
      long from = begin;
      for (int part = 1; part <= PARTS; part++) {
        long to = begin + settings.turn().toNanos() * part / PARTS;
        TimeUnit.NANOSECONDS.sleep(to - System.nanoTime());
        long now = System.nanoTime();
        samples.add(sample(phase, from - begin, now - from));
        from = now;
      }
      for (Future<?> each : running) {
        each.get();
      }
      turns++;
      return samples;
    } catch (ExecutionException e) {
      throw new IOException("a client of " + server.engine().label() + " failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private DaySample sample(DayPhase phase, long begin, long nanos) throws IOException {
    Histogram reads = micros.getIntervalHistogram();
    long requests = server.storeRequests();
    long bytes = server.writtenBytes();
    DaySample sample =
        new DaySample(
            server.engine(),
            phase,
            turns,
            turns * seconds(settings.turn().toNanos()) + seconds(begin),
            seconds(nanos),
            requests - storeRequests,
            bytes - writtenBytes,
            reads);
    storeRequests = requests;
    writtenBytes = bytes;
    return sample;
  }

  private static double seconds(long nanos) {
    return nanos / (double) Duration.ofSeconds(1).toNanos();
  }

  private Callable<Integer> until(long end, SplittableRandom random) {
    return () -> {
      int calls = 0;
      try (Table table = server.connection().getTable(DayServer.TABLE)) {
        for (; System.nanoTime() - end < 0; calls++) {
          int row = (int) (Zipfian.scramble(zipfian.rank(random.nextDouble())) % settings.rows());
          if (random.nextInt(PERCENT) < settings.writePercent()) {
            write(table, row);
          } else {
            read(table, row);
          }
        }
      }
      return calls;
    };
  }

  private void read(Table table, int row) {
    int least = server.rows().least(row);
    long begin = System.nanoTime();
    try {
      Result found = table.get(DayRows.get(row));
      micros.recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin));
      if (!DayRows.isRight(found, row, least)) {
        wrongReads.increment();
      }
    } catch (IOException e) {
      failedReads.increment();
    }
  }

  private void write(Table table, int row) {
    int version = server.rows().beginWrite(row);
    try {
      table.put(DayRows.put(row, version));
      server.rows().endWrite(row, version);
    } catch (IOException e) {
      failedWrites.increment();
    }
  }

  /** Scans the rows of one region as evenly as a turn is long, as a client that sets no more. */
  private int scan(long begin) throws IOException, InterruptedException {
    int count = settings.rows() / DayTable.REGIONS;
    Scan scan =
        new Scan()
            .withStartRow(DayRows.key(count))
            .withStopRow(DayRows.key(2L * count))
            .setCaching(SCANNED_ROWS);
    Connection connection = server.connection();
    int found = 0;
    try (Table table = connection.getTable(DayServer.TABLE);
        ResultScanner results = table.getScanner(scan)) {
      for (Result result = results.next(); result != null; result = results.next()) {
        if (!DayRows.isRight(result, count + found++, 0)) {
          wrongReads.increment();
        }
        if (found % SCANNED_ROWS == 0) {
          long due = begin + settings.turn().toNanos() / count * found;
          TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        }
      }
    }
    wrongReads.add(count - found);
    return found;
  }
}
