// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.site.NvCacheSplitBlockCache;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase in stand-alone mode: nothing but settings are changed, and the one jar is added. */
class StandaloneIT {
  private static final String REFUSAL =
      "NVCache can't be used: hbase.nvcache.overhead.target is '11'; it must be a number from 0 to"
          + " 10; change or remove it in hbase-site.xml";

  private static final int ROWS = 3000;
  private static final int RECORDS = 3000;

  @TempDir private Path directory;

  private StandaloneHBase hbase(String wayIn) throws Exception {
    StandaloneHBase hbase = new StandaloneHBase(directory);
    return wayIn.equals("external")
        ? hbase
            .set("hbase.blockcache.use.external", "true")
            .set("hbase.blockcache.external.class", NvHBaseBlockCache.class.getName())
            .set("hfile.block.cache.policy", "IndexOnlyLRU")
            .set("hbase.coprocessor.region.classes", NvCacheRegionObserver.class.getName())
            .set("hbase.coprocessor.regionserver.classes", NvCacheGuard.class.getName())
        : hbase.set("hbase.regionserver.impl", NvCacheRegionServer.class.getName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"region-server", "external"})
  void shouldServeAsAProcessOfItsOwn(String wayIn) throws Exception {
    StandaloneHBase hbase = hbase(wayIn);
    Process process = hbase.start();
    try (Connection connection = hbase.connect()) {
      VersionedTable table = VersionedTable.create(connection, "alone");
      table.write(0, ROWS);
      connection.getAdmin().flush(table.name());
      table.check(2000);
      table.write(0, ROWS / 2);
      connection.getAdmin().flush(table.name());
      connection.getAdmin().majorCompact(table.name());
      table.check(2000);
      table.checkAll();
      assertThat(process.isAlive()).isTrue();
      assertThat(directory.resolve("nvcache.data")).exists();
    } finally {
      StandaloneHBase.stop(process);
    }
    hbase.assertServedWithoutLeaks();
  }

  @Test
  void shouldServeYcsbAndStartAgain() throws Exception {
    StandaloneHBase hbase =
        hbase("region-server")
            .set("hbase.nvcache.capacity.bytes", "4194304")
            .set("hbase.nvcache.block.max.bytes", "65536");
    Process process = hbase.start();
    VersionedTable versions;
    try (Connection connection = hbase.connect()) {
      versions = VersionedTable.create(connection, "versions");
      versions.write(0, ROWS);
      connection.getAdmin().flush(versions.name());
      connection.getAdmin().split(versions.name(), VersionedTable.row(ROWS / 3));
      for (String letter : CheckedWorkload.LETTERS) {
        ycsb(connection, letter);
      }
      versions.write(0, ROWS / 2);
      versions.check(2000);
      assertThat(StandaloneHBase.page(connection, "/rs-status"))
          .contains(
              NvHBaseBlockCache.class.getSimpleName(),
              NvCacheSplitBlockCache.class.getSimpleName());
      assertThat(
              StandaloneHBase.page(
                  connection, "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=NvCache,*"))
          .contains("\"OffersAdmitted\"");
    } finally {
      StandaloneHBase.stop(process);
    }
    hbase.assertServedWithoutLeaks();
    process = hbase.start();
    try (Connection connection = hbase.connect()) {
      versions.over(connection).check(2000);
      versions.over(connection).checkAll();
    } finally {
      StandaloneHBase.stop(process);
    }
    hbase.assertServedWithoutLeaks();
  }

  private static void ycsb(Connection connection, String letter) throws Exception {
    VersionedTable table = VersionedTable.create(connection, "ycsb-" + letter);
    CheckedWorkload workload = CheckedWorkload.of(letter, RECORDS, RECORDS);
    workload.load(connection, table.name(), RECORDS);
    connection.getAdmin().flush(table.name());
    workload.run(connection, table.name(), RECORDS / 2);
    connection.getAdmin().flush(table.name());
    connection.getAdmin().majorCompact(table.name());
    workload.run(connection, table.name(), RECORDS / 2);
    workload.assertRight("YCSB " + letter + " on a process of its own", RECORDS);
  }

  @Test
  void shouldStopWithOneLineAtABadSetting() throws Exception {
    StandaloneHBase hbase = withBadSetting("region-server");
    Process process = hbase.start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isNotZero();
    assertThat(hbase.log()).contains(REFUSAL);
  }

  /** The process is the master's, too, and goes on without its region server. */
  @Test
  void shouldBeStoppedByTheGuardWhereHBaseWouldGoOn() throws Exception {
    StandaloneHBase hbase = withBadSetting("external");
    Process process = hbase.start();
    try {
      LocalCluster.await(
          "the guard's abort",
          () -> hbase.log().contains("ABORTING region server") || !process.isAlive());
      assertThat(hbase.log()).contains(REFUSAL, "ABORTING region server");
    } finally {
      process.destroyForcibly();
    }
  }

  private StandaloneHBase withBadSetting(String wayIn) throws Exception {
    return hbase(wayIn).set("hbase.nvcache.overhead.target", "11");
  }
}
