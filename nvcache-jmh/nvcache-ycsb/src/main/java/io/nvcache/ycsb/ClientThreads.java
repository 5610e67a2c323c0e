// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.progress.StopSignal;
import io.nvcache.ycsb.store.HFileStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import org.HdrHistogram.Histogram;
import site.ycsb.DBException;

/** The clients of one run, one thread each. Used by one thread. */
final class ClientThreads implements AutoCloseable {
  private static final long LAST_OPERATION_SECONDS = 20;

  private final List<Client> clients = new ArrayList<>();
  private final ExecutorService threads;
  private final StopSignal stop;
  private volatile boolean closed;

  ClientThreads(RunSettings run, SeededWorkload workload, HFileStore store, StopSignal stop)
      throws IOException {
    this.stop = stop;
    SplittableRandom seeds = new SplittableRandom(run.seed());
    for (int i = 0; i < run.threads(); i++) {
      MeasuredDb db = new MeasuredDb(store.newClient());
      try {
        db.init();
      } catch (DBException e) {
        throw new IOException("a client of the store did not start: " + e.getMessage(), e);
      }
      clients.add(new Client(workload, db, seeds.split()));
    }
    threads = Executors.newFixedThreadPool(run.threads());
  }

  /**
   * Runs all clients and waits for them.
   *
   * @param duration after which they stop; zero = no limit
   * @param operations after which they stop, all together; 0 = no limit
   */
  void run(Duration duration, long operations) throws IOException, InterruptedException {
    long start = System.nanoTime();
    AtomicBoolean failed = new AtomicBoolean();
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      Client client = clients.get(i);
      long quota = operations == 0 ? Long.MAX_VALUE : share(operations, i);
      LongPredicate mayGoOn =
          done ->
              done < quota
                  && (duration.isZero() || System.nanoTime() - start < duration.toNanos())
                  && !stop.isRequested()
                  && !closed
                  && !failed.get();
      ends.add(threads.submit(() -> runOne(client, mayGoOn, failed)));
    }
    for (Future<?> end : ends) {
      throwFailureOf(end);
    }
  }

  private static void runOne(Client client, LongPredicate mayGoOn, AtomicBoolean failed) {
    boolean done = false;
    try {
      client.run(mayGoOn);
      done = true;
    } finally {
      if (!done) {
        failed.set(true);
      }
    }
  }

  private static void throwFailureOf(Future<?> end) throws IOException, InterruptedException {
    try {
      end.get();
    } catch (ExecutionException e) {
      throw new IOException("a client failed: " + e.getCause(), e.getCause());
    }
  }

  private long share(long operations, int client) {
    long each = operations / clients.size();
    return client < operations % clients.size() ? each + 1 : each;
  }

  /** Operations finished since the group was made. */
  long operations() {
    return clients.stream().mapToLong(Client::operations).sum();
  }

  /** Starts the measured part. Not while clients run. */
  void forgetLatencies() {
    clients.forEach(client -> client.db().forgetLatencies());
  }

  /** Latencies in nanoseconds since the last forgetting. Not while clients run. */
  Map<StoreCall, Histogram> latencies() {
    Map<StoreCall, Histogram> all = new EnumMap<>(StoreCall.class);
    clients.forEach(client -> client.db().addLatenciesTo(all));
    return all;
  }

  /** Calls that the store failed. Not while clients run. */
  long failures() {
    return clients.stream().mapToLong(client -> client.db().failures()).sum();
  }

  /** Lets running operations end by themselves: an interrupt would close the files they read. */
  @Override
  public void close() throws IOException {
    closed = true;
    threads.shutdown();
    try {
      if (!threads.awaitTermination(LAST_OPERATION_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("an operation still runs after " + LAST_OPERATION_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (Client client : clients) {
      try {
        client.db().cleanup();
      } catch (DBException e) {
        throw new IOException("a client of the store did not end: " + e.getMessage(), e);
      }
    }
  }
}
