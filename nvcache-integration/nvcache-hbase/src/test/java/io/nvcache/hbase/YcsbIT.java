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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's core workloads on two servers with the default policies; each value read is checked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class YcsbIT {
  private static final int RECORDS = 10_000;
  private static final int OPERATIONS = 8_000;
  private static final int THREADS = 4;
  private static final int FIELDS = 5;
  private static final int FIELD_BYTES = 100;

  private LocalCluster cluster;

  @BeforeAll
  void start() throws Exception {
    org.apache.hadoop.conf.Configuration settings = LocalCluster.settings();
    settings.set(NvCacheConfiguration.POLICIES, "default");
    settings.setLong(NvCacheConfiguration.CAPACITY_BYTES, 8 << 20);
    cluster = new LocalCluster(2, settings);
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  /** Counts the fields that are not what YCSB wrote under this key. */
  private static final class CheckedWorkload extends CoreWorkload {
    private final LongAdder checked = new LongAdder();
    private final LongAdder wrong = new LongAdder();

    @Override
    protected void verifyRow(String key, HashMap<String, ByteIterator> cells) {
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
  }

  @ParameterizedTest
  @CsvSource({
    "A, 0.5, 0.5, 0, 0, 0, zipfian",
    "B, 0.95, 0.05, 0, 0, 0, zipfian",
    "C, 1, 0, 0, 0, 0, zipfian",
    "D, 0.95, 0, 0.05, 0, 0, latest",
    "E, 0, 0, 0.05, 0.95, 0, zipfian",
    "F, 0.5, 0, 0, 0, 0.5, zipfian"
  })
  void shouldReadWhatWasWritten(
      String name,
      String reads,
      String updates,
      String inserts,
      String scans,
      String readModifyWrites,
      String distribution)
      throws Exception {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "recordcount", "" + RECORDS,
            "fieldcount", "" + FIELDS,
            "fieldlength", "" + FIELD_BYTES,
            "dataintegrity", "true",
            "readproportion", reads,
            "updateproportion", updates,
            "insertproportion", inserts,
            "scanproportion", scans,
            "readmodifywriteproportion", readModifyWrites,
            "requestdistribution", distribution));
    properties.setProperty("maxscanlength", "50");
    Measurements.setProperties(properties);
    VersionedTable table = VersionedTable.create(cluster.connection(), "ycsb-" + name);
    cluster.admin().split(table.name(), VersionedTable.bytes("user5"));
    CheckedWorkload workload = new CheckedWorkload();
    workload.init(properties);
    run(workload, table, RECORDS, CoreWorkload::doInsert);
    cluster.admin().flush(table.name());
    long hits = cluster.hits();
    run(workload, table, OPERATIONS / 2, CoreWorkload::doTransaction);
    cluster.admin().flush(table.name());
    cluster.admin().majorCompact(table.name());
    run(workload, table, OPERATIONS / 2, CoreWorkload::doTransaction);
    // YCSB checks reads, and not what a scan or a read before a write gives.
    if (!name.equals("E")) {
      assertThat(workload.checked.sum()).isGreaterThan(OPERATIONS);
    }
    assertThat(workload.wrong.sum()).isZero();
    assertThat(cluster.hits()).isGreaterThan(hits);
    cluster.assertNothingLeaks();
  }

  private interface Step {
    boolean run(CoreWorkload workload, DB db, Object state);
  }

  private void run(CoreWorkload workload, VersionedTable table, int count, Step step)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Boolean>> done = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        done.add(
            threads.submit(
                () -> {
                  DB db = new ClusterYcsb(cluster.connection(), table.name());
                  boolean right = true;
                  for (int i = 0; i < count / THREADS; i++) {
                    right &= step.run(workload, db, null);
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
}
