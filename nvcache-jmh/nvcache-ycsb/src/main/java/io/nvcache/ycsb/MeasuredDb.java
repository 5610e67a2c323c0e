// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Times the calls of one client. Used by one thread at a time. */
final class MeasuredDb extends DB {
  private static final long LONGEST_NANOS = 100_000_000_000L;
  private static final int DIGITS = 3;

  private final DB store;
  private final Map<StoreCall, Histogram> nanos = new EnumMap<>(StoreCall.class);
  private long failures;

  MeasuredDb(DB store) {
    this.store = store;
  }

  /** Starts the measured part. */
  void forgetLatencies() {
    nanos.clear();
  }

  /** Adds what was timed since the last forgetting. */
  void addLatenciesTo(Map<StoreCall, Histogram> totals) {
    nanos.forEach(
        (operation, histogram) ->
            totals.computeIfAbsent(operation, MeasuredDb::newHistogram).add(histogram));
  }

  private static Histogram newHistogram(StoreCall operation) {
    return new Histogram(LONGEST_NANOS, DIGITS);
  }

  /** Calls that the store did not answer with OK. */
  long failures() {
    return failures;
  }

  @Override
  public void init() throws DBException {
    store.init();
  }

  @Override
  public void cleanup() throws DBException {
    store.cleanup();
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    long start = System.nanoTime();
    return timed(StoreCall.READ, start, store.read(table, key, fields, result));
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String table,
      String startKey,
      int records,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    long start = System.nanoTime();
    return timed(StoreCall.SCAN, start, store.scan(table, startKey, records, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    long start = System.nanoTime();
    return timed(StoreCall.UPDATE, start, store.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    long start = System.nanoTime();
    return timed(StoreCall.INSERT, start, store.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    return store.delete(table, key);
  }

  private Status timed(StoreCall operation, long start, Status status) {
    long elapsed = Math.min(LONGEST_NANOS, System.nanoTime() - start);
    nanos.computeIfAbsent(operation, MeasuredDb::newHistogram).recordValue(elapsed);
    if (!status.isOk()) {
      failures++;
    }
    return status;
  }
}
