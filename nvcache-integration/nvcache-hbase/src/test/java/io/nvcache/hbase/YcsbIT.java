// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.site.NvCacheConfiguration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** YCSB's core workloads on two servers with the default policies; each value read is checked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class YcsbIT {
  private static final int RECORDS = 10_000;
  private static final int OPERATIONS = 8_000;

  private LocalCluster cluster;

  @BeforeAll
  void start() throws Exception {
    Configuration settings = LocalCluster.settings();
    settings.set(NvCacheConfiguration.POLICIES, "default");
    settings.setLong(NvCacheConfiguration.CAPACITY_BYTES, 8 << 20);
    settings.setInt(NvCacheConfiguration.MAX_BLOCK_BYTES, 64 << 10);
    cluster = new LocalCluster(2, settings);
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  static List<String> workloads() {
    return CheckedWorkload.LETTERS;
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void shouldReadWhatWasWritten(String letter) throws Exception {
    VersionedTable table = VersionedTable.create(cluster.connection(), "ycsb-" + letter);
    cluster.admin().split(table.name(), VersionedTable.bytes("user5"));
    CheckedWorkload workload = CheckedWorkload.of(letter, RECORDS, OPERATIONS);
    workload.load(cluster.connection(), table.name(), RECORDS);
    cluster.admin().flush(table.name());
    long hits = cluster.hits();
    workload.run(cluster.connection(), table.name(), OPERATIONS / 2);
    cluster.admin().flush(table.name());
    cluster.admin().majorCompact(table.name());
    workload.run(cluster.connection(), table.name(), OPERATIONS / 2);
    workload.assertRight("YCSB " + letter + " on two servers", OPERATIONS);
    assertThat(cluster.hits()).isGreaterThan(hits);
    cluster.assertNothingLeaks();
  }
}
