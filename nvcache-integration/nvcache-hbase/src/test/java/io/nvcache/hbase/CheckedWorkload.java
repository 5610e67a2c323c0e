// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * One of YCSB's core workloads with dataintegrity. Counts the rows that were read and not there and
 * the fields that are not what YCSB wrote under this key, those of scans among them. Thread-safe.
 */
final class CheckedWorkload extends CoreWorkload {
  static final List<String> LETTERS = List.of("A", "B", "C", "D", "E", "F");
  private static final int THREADS = 4;
  private static final int FIELDS = 5;
  private static final int FIELD_BYTES = 100;

  private final LongAdder checked = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder missing = new LongAdder();

  private CheckedWorkload() {}

  /** A workload as YCSB's file of that name has it. */
  static CheckedWorkload of(String letter, int records, int operations) throws WorkloadException {
    Properties properties = new Properties();
    properties.putAll(shares(letter));
    properties.putAll(
        Map.of(
            "recordcount", "" + records,
            "operationcount", "" + operations,
            "fieldcount", "" + FIELDS,
            "fieldlength", "" + FIELD_BYTES,
            "maxscanlength", "50",
            "dataintegrity", "true",
            "requestdistribution", letter.equals("D") ? "latest" : "zipfian"));
    Measurements.setProperties(properties);
    CheckedWorkload workload = new CheckedWorkload();
    workload.init(properties);
    return workload;
  }

  private static Map<String, String> shares(String letter) {
    return switch (letter) {
      case "A" -> Map.of("readproportion", "0.5", "updateproportion", "0.5");
      case "B" -> Map.of("readproportion", "0.95", "updateproportion", "0.05");
      case "C" -> Map.of("readproportion", "1", "updateproportion", "0");
      case "D" ->
          Map.of("readproportion", "0.95", "updateproportion", "0", "insertproportion", "0.05");
      case "E" ->
          Map.of(
              "readproportion", "0",
              "updateproportion", "0",
              "scanproportion", "0.95",
              "insertproportion", "0.05");
      case "F" ->
          Map.of(
              "readproportion", "0.5",
              "updateproportion", "0",
              "readmodifywriteproportion", "0.5");
      default -> throw new IllegalArgumentException(letter);
    };
  }

  /** Writes all records. */
  void load(Connection connection, TableName table, int records) throws Exception {
    run(connection, table, records, CoreWorkload::doInsert);
  }

  /** Runs the mix. */
  void run(Connection connection, TableName table, int operations) throws Exception {
    run(connection, table, operations, CoreWorkload::doTransaction);
  }

  private interface Step {
    boolean run(CoreWorkload workload, DB db, Object state);
  }

  private void run(Connection connection, TableName table, int count, Step step) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Boolean>> done = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        done.add(
            threads.submit(
                () -> {
                  DB db = new ClusterYcsb(connection, table, this::check);
                  boolean right = true;
                  for (int i = 0; i < count / THREADS; i++) {
                    right &= step.run(this, db, null);
                  }
                  return right;
                }));
      }
      for (Future<Boolean> right : done) {
        assertThat(right.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Override
  @SuppressWarnings("NonApiType") // As YCSB declares it.
  protected void verifyRow(String key, HashMap<String, ByteIterator> cells) {
    check(key, cells);
  }

  private void check(String key, Map<String, ByteIterator> cells) {
    if (cells.isEmpty()) {
      missing.increment();
    }
    cells.forEach(
        (field, value) -> {
          checked.increment();
          if (!value.toString().equals(expected(key, field))) {
            wrong.increment();
          }
        });
  }

  /** As YCSB makes values that can be checked: key and field, and hashes of what is there. */
  private static String expected(String key, String field) {
    StringBuilder value = new StringBuilder(key).append(':').append(field);
    while (value.length() < FIELD_BYTES) {
      value.append(':').append(value.toString().hashCode());
    }
    value.setLength(FIELD_BYTES);
    return value.toString();
  }

  /** Says how much was read, and fails if any of it was not what had been written. */
  void assertRight(String where, long atLeast) {
    System.out.printf(
        "%s: %d fields checked, %d wrong, %d rows missing%n",
        where, checked.sum(), wrong.sum(), missing.sum());
    assertThat(wrong.sum()).as("wrong fields in %s", where).isZero();
    assertThat(missing.sum()).as("rows not found in %s", where).isZero();
    assertThat(checked.sum()).as("checked in %s", where).isGreaterThan(atLeast);
  }
}
