// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntPredicate;

/**
 * Clients that read rows by Zipf's law, each one row after the other, and compare what they get.
 * The partitioner scatters the hot rows.
 */
final class VolumeReads {
  static final int VALUE_BYTES = 8192;
  static final int THREADS = 16;
  static final double SKEW = 0.8;

  private static final int IN_FLIGHT = 128;

  /** So many longs at the beginning of a value are compared. */
  private static final int COMPARED = 64;

  private final CqlSession session;
  private final int rows;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  /** By row: what of all reads goes to it and those before. */
  private final double[] sums;

  VolumeReads(CqlSession session, int rows) {
    this.session = session;
    this.rows = rows;
    this.insert = session.prepare("INSERT INTO ks.t (id, v) VALUES (?, ?)");
    this.select = session.prepare("SELECT v FROM ks.t WHERE id = ?");
    this.sums = new double[rows];
    double sum = 0;
    for (int id = 0; id < rows; id++) {
      sum += Math.pow(id + 1, -SKEW);
      sums[id] = sum;
    }
  }

  /** Creates keyspace and table, whose files stay as they are flushed. */
  static void createTable(CqlSession session) {
    session.execute(Rows.keyspaceDdl("ks", 1) + " AND durable_writes = false");
    session.execute(
        Rows.ddl(
            "ks.t",
            "compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}"
                + " AND compression = {'class': 'LZ4Compressor'}"));
  }

  private static ByteBuffer value(int id, int longs) {
    SplittableRandom random = new SplittableRandom(id);
    ByteBuffer value = ByteBuffer.allocate(longs * Long.BYTES);
    while (value.hasRemaining()) {
      value.putLong(random.nextLong());
    }
    return value.flip();
  }

  void write() throws InterruptedException {
    Semaphore free = new Semaphore(IN_FLIGHT);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int id = 0; id < rows && failure.get() == null; id++) {
      free.acquire();
      session
          .executeAsync(insert.bind(id, value(id, VALUE_BYTES / Long.BYTES)))
          .whenComplete(
              (done, error) -> {
                failure.compareAndSet(null, error);
                free.release();
              });
    }
    free.acquire(IN_FLIGHT);
    if (failure.get() != null) {
      throw new IllegalStateException("a write failed", failure.get());
    }
  }

  /**
   * How many reads there were in what time.
   *
   * @param sorted microseconds of each
   */
  record Result(long[] sorted, double seconds) {
    int count() {
      return sorted.length;
    }

    double perSecond() {
      return sorted.length / seconds;
    }

    long micros(double quantile) {
      return sorted[(int) (sorted.length * quantile)];
    }
  }

  /** Reads so many rows. */
  Result read(int reads) throws Exception {
    return readWhile(done -> done < reads / THREADS);
  }

  /** Reads for a time. */
  Result readFor(int seconds) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    return readWhile(done -> System.nanoTime() < end);
  }

  private Result readWhile(IntPredicate goesOn) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(THREADS);
    try {
      long began = System.nanoTime();
      List<Future<long[]>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(began + thread);
        all.add(clients.submit(() -> client(random, goesOn)));
      }
      List<long[]> micros = new ArrayList<>();
      for (Future<long[]> client : all) {
        micros.add(client.get());
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      return new Result(micros.stream().flatMapToLong(Arrays::stream).sorted().toArray(), seconds);
    } finally {
      clients.shutdownNow();
    }
  }

  private long[] client(SplittableRandom random, IntPredicate goesOn) {
    long[] micros = new long[1024];
    int done = 0;
    while (goesOn.test(done)) {
      int found = Arrays.binarySearch(sums, random.nextDouble() * sums[rows - 1]);
      int id = Math.min(rows - 1, found < 0 ? -found - 1 : found);
      long began = System.nanoTime();
      Row row = session.execute(select.bind(id)).one();
      if (done == micros.length) {
        micros = Arrays.copyOf(micros, 2 * done);
      }
      micros[done++] = (System.nanoTime() - began) / 1000;
      check(id, row);
    }
    return Arrays.copyOf(micros, done);
  }

  private static void check(int id, Row row) {
    ByteBuffer value = row == null ? null : row.getByteBuffer("v");
    ByteBuffer expected = value(id, COMPARED);
    if (value == null
        || value.remaining() != VALUE_BYTES
        || !value.slice(value.position(), expected.remaining()).equals(expected)) {
      throw new AssertionError("row " + id + " is not as it was written");
    }
  }
}
