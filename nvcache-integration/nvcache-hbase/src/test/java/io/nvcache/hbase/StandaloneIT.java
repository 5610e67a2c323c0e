// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase in stand-alone mode, a process of its own with the class path that it was released with:
 * nothing but settings are changed, and the one jar is added.
 */
class StandaloneIT {
  private static final String REFUSAL =
      "NVCache can't be used: hbase.nvcache.overhead.target is '11'; it must be a number from 0 to"
          + " 10; change or remove it in hbase-site.xml";

  private static final int ROWS = 3000;
  private static final int RECORDS = 3000;

  @TempDir private Path directory;

  private Map<String, String> settings(int zooKeeperPort) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.rootdir", directory.resolve("root").toUri().toString());
    settings.put("hbase.tmp.dir", directory.resolve("tmp").toString());
    settings.put("hbase.unsafe.stream.capability.enforce", "false");
    settings.put("hbase.wal.provider", "filesystem");
    settings.put("hbase.localcluster.assign.random.ports", "true");
    settings.put("hbase.master.info.port", "-1");
    settings.put("hbase.regionserver.info.port", "0");
    settings.put("hbase.zookeeper.quorum", "localhost");
    settings.put("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort));
    settings.put("hbase.nvcache.capacity.bytes", "33554432");
    settings.put("hbase.nvcache.medium", "mapped");
    settings.put("hbase.nvcache.path", directory.resolve("nvcache.data").toString());
    settings.put("hbase.nvcache.smallbypass.dram.bytes", "0");
    settings.put("hbase.nvcache.block.expected.bytes", "4096");
    return settings;
  }

  private Process start(Map<String, String> settings) throws Exception {
    ForkedJvm.writeSite(directory, settings);
    return ForkedJvm.startServer(
        directory,
        directory.resolve("log"),
        "org.apache.hadoop.hbase.master.HMaster",
        List.of("start"));
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void choose(String wayIn, Map<String, String> settings) {
    if (wayIn.equals("external")) {
      settings.put("hbase.blockcache.use.external", "true");
      settings.put("hbase.blockcache.external.class", NvHBaseBlockCache.class.getName());
      settings.put("hfile.block.cache.policy", "IndexOnlyLRU");
      settings.put("hbase.coprocessor.region.classes", NvCacheRegionObserver.class.getName());
      settings.put("hbase.coprocessor.regionserver.classes", NvCacheGuard.class.getName());
    } else {
      settings.put("hbase.regionserver.impl", NvCacheRegionServer.class.getName());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"region-server", "external"})
  void shouldServeAsAProcessOfItsOwn(String wayIn) throws Exception {
    int port = freePort();
    Map<String, String> settings = settings(port);
    choose(wayIn, settings);
    Process process = start(settings);
    try (Connection connection = connect(port)) {
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
      stop(process);
    }
    assertServedWithoutLeaks();
  }

  @Test
  void shouldServeYcsbAndStartAgain() throws Exception {
    int port = freePort();
    Map<String, String> settings = settings(port);
    settings.put("hbase.regionserver.impl", NvCacheRegionServer.class.getName());
    settings.put("hbase.nvcache.capacity.bytes", "4194304");
    settings.put("hbase.nvcache.block.max.bytes", "65536");
    Process process = start(settings);
    VersionedTable versions;
    try (Connection connection = connect(port)) {
      versions = VersionedTable.create(connection, "versions");
      versions.write(0, ROWS);
      connection.getAdmin().flush(versions.name());
      connection.getAdmin().split(versions.name(), VersionedTable.row(ROWS / 3));
      for (String letter : CheckedWorkload.LETTERS) {
        ycsb(connection, letter);
      }
      versions.write(0, ROWS / 2);
      versions.check(2000);
      assertThat(page(connection, "/rs-status"))
          .contains(
              NvHBaseBlockCache.class.getSimpleName(),
              NvCacheSplitBlockCache.class.getSimpleName());
      assertThat(page(connection, "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=NvCache,*"))
          .contains("\"OffersAdmitted\"");
    } finally {
      stop(process);
    }
    assertServedWithoutLeaks();
    process = start(settings);
    try (Connection connection = connect(port)) {
      versions.over(connection).check(2000);
      versions.over(connection).checkAll();
    } finally {
      stop(process);
    }
    assertServedWithoutLeaks();
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

  private static Connection connect(int zooKeeperPort) throws Exception {
    Configuration client = HBaseConfiguration.create();
    client.set("hbase.zookeeper.quorum", "localhost");
    client.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    Connection connection = ConnectionFactory.createConnection(client);
    LocalCluster.await("the master", () -> isUp(connection));
    return connection;
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    process.waitFor(5, TimeUnit.MINUTES);
    process.destroyForcibly().waitFor();
  }

  private void assertServedWithoutLeaks() throws Exception {
    assertThat(Files.readString(directory.resolve("log")))
        .contains("NVCache caches")
        .doesNotContain("LEAK: RefCnt");
  }

  private static String page(Connection connection, String path) throws Exception {
    int port =
        connection.getAdmin().getClusterMetrics().getLiveServerMetrics().values().stream()
            .mapToInt(ServerMetrics::getInfoServerPort)
            .findFirst()
            .orElseThrow();
    return ServerPage.get(port, path);
  }

  private static boolean isUp(Connection connection) {
    try {
      return !connection.getAdmin().getClusterMetrics().getLiveServerMetrics().isEmpty()
          && connection
              .getAdmin()
              .isTableAvailable(org.apache.hadoop.hbase.TableName.META_TABLE_NAME);
    } catch (java.io.IOException e) {
      return false;
    }
  }

  @Test
  void shouldStopWithOneLineAtABadSetting() throws Exception {
    Process process = start(withBadSetting("region-server"));
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isNotZero();
    assertThat(Files.readString(directory.resolve("log"))).contains(REFUSAL);
  }

  /** The process is the master's, too, and goes on without its region server. */
  @Test
  void shouldBeStoppedByTheGuardWhereHBaseWouldGoOn() throws Exception {
    Process process = start(withBadSetting("external"));
    try {
      LocalCluster.await(
          "the guard's abort",
          () -> log().contains("ABORTING region server") || !process.isAlive());
      assertThat(log()).contains(REFUSAL, "ABORTING region server");
    } finally {
      process.destroyForcibly();
    }
  }

  private Map<String, String> withBadSetting(String wayIn) throws Exception {
    Map<String, String> settings = settings(freePort());
    choose(wayIn, settings);
    settings.put("hbase.nvcache.overhead.target", "11");
    return settings;
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
