// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;
import site.ycsb.workloads.CoreWorkload;

/**
 * One run of a YCSB workload, with what it cost the node.
 *
 * @param operations how many were done
 * @param errors operations that failed, and rows that were not as written
 * @param io what the read calls of the node returned, those for its sockets included
 * @param cpuTime what the threads of the node used; those of the just-in-time compiler, which has
 *     more to do than the node in its first minutes, and of the garbage collector not counted
 */
record YcsbPhase(long operations, long errors, ProcessIo io, Duration cpuTime) {
  static final int RECORDS = 50_000;

  private static final int THREADS = 4;
  private static final String MISMATCH = "VERIFY";

  /** The proportions of YCSB's workloads A to F. */
  private static final Map<String, Map<String, String>> WORKLOADS =
      Map.of(
          "A", Map.of("readproportion", "0.5", "updateproportion", "0.5"),
          "B", Map.of("readproportion", "0.95", "updateproportion", "0.05"),
          "C", Map.of("readproportion", "1.0", "updateproportion", "0"),
          "D",
              Map.of(
                  "readproportion", "0.95",
                  "updateproportion", "0",
                  "insertproportion", "0.05",
                  "requestdistribution", "latest"),
          "E",
              Map.of(
                  "readproportion", "0",
                  "updateproportion", "0",
                  "scanproportion", "0.95",
                  "insertproportion", "0.05"),
          "F",
              Map.of(
                  "readproportion", "0.5",
                  "updateproportion", "0",
                  "readmodifywriteproportion", "0.5"));

  /** Microseconds of CPU per operation. */
  double cpuMicros() {
    return cpuTime.toNanos() / 1e3 / operations;
  }

  /** Writes all records. */
  static YcsbPhase load(CassandraNode node, CqlDb db) throws Exception {
    return run(node, db, "C", RECORDS, true);
  }

  /** Runs a workload on them. */
  static YcsbPhase run(CassandraNode node, CqlDb db, String workload, int operations)
      throws Exception {
    return run(node, db, workload, operations, false);
  }

  private static YcsbPhase run(
      CassandraNode node, CqlDb db, String name, int operations, boolean loads) throws Exception {
    Properties properties = properties(name, operations);
    Measurements.setProperties(properties);
    CheckedWorkload workload = new CheckedWorkload();
    workload.init(properties);
    db.checkScans(workload::check);
    long errorsBefore = db.errors();
    long mismatchesBefore = mismatches();
    try (NodeJmx jmx = node.jmx()) {
      Map<Long, Long> cpuBefore = jmx.cpuNanosByThread();
      ProcessIo ioBefore = node.io();
      inThreads(workload, db, properties, operations / THREADS, loads);
      ProcessIo io = node.io().minus(ioBefore);
      return new YcsbPhase(
          operations,
          db.errors() - errorsBefore + mismatches() - mismatchesBefore,
          io,
          since(cpuBefore, jmx.cpuNanosByThread()));
    }
  }

  private static Duration since(Map<Long, Long> before, Map<Long, Long> now) {
    return Duration.ofNanos(
        now.entrySet().stream()
            .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
            .sum());
  }

  static Properties properties(String workload, int operations) {
    Properties properties = new Properties();
    properties.setProperty("recordcount", Integer.toString(RECORDS));
    properties.setProperty("operationcount", Integer.toString(operations));
    properties.setProperty("requestdistribution", "zipfian");
    properties.setProperty("maxscanlength", "20");
    properties.setProperty("insertproportion", "0");
    properties.setProperty("scanproportion", "0");
    // Values follow from key and field, and YCSB compares what it reads.
    properties.setProperty("dataintegrity", "true");
    properties.setProperty("fieldlengthdistribution", "constant");
    properties.setProperty("measurementtype", "hdrhistogram");
    WORKLOADS.get(workload).forEach(properties::setProperty);
    return properties;
  }

  private static void inThreads(
      CoreWorkload workload, CqlDb db, Properties properties, int each, boolean loads)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Object state = workload.initThread(properties, thread, THREADS);
        parts.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    if (loads) {
                      workload.doInsert(db, state);
                    } else {
                      workload.doTransaction(db, state);
                    }
                  }
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** Rows that YCSB found to be other than it wrote them, since the start of the process. */
  static long mismatches() throws Exception {
    Map<String, Integer> returned = new HashMap<>();
    Measurements.getMeasurements().exportMeasurements(new Counts(returned));
    return returned.entrySet().stream()
        .filter(count -> count.getKey().startsWith(MISMATCH + "/Return="))
        .filter(count -> !count.getKey().endsWith("=OK"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Keeps YCSB's counts by metric and measurement. */
  private record Counts(Map<String, Integer> counts) implements MeasurementsExporter {
    @Override
    public void write(String metric, String measurement, int count) {
      counts.put(metric + "/" + measurement, count);
    }

    @Override
    public void write(String metric, String measurement, long count) {
      counts.put(metric + "/" + measurement, (int) count);
    }

    @Override
    public void write(String metric, String measurement, double value) {}

    @Override
    public void close() {}
  }
}
