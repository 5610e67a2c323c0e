// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HBase in stand-alone mode, a process of its own, with nothing but settings changed. */
class StandaloneIT {
  private static final int ROWS = 3000;

  @TempDir private Path directory;

  private Map<String, String> settings(int zooKeeperPort) {
    Map<String, String> settings = new HashMap<>();
    settings.put("hbase.rootdir", directory.resolve("root").toUri().toString());
    settings.put("hbase.tmp.dir", directory.resolve("tmp").toString());
    settings.put("hbase.unsafe.stream.capability.enforce", "false");
    settings.put("hbase.wal.provider", "filesystem");
    settings.put("hbase.localcluster.assign.random.ports", "true");
    settings.put("hbase.master.info.port", "-1");
    settings.put("hbase.regionserver.info.port", "-1");
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
    Files.writeString(
        directory.resolve("simplelogger.properties"),
        "org.slf4j.simpleLogger.defaultLogLevel=warn\n"
            + "org.slf4j.simpleLogger.log.io.nvcache=info\n");
    return ForkedJvm.start(
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

  @ParameterizedTest
  @CsvSource({"region-server", "external"})
  void shouldServeAsAProcessOfItsOwn(String wayIn) throws Exception {
    int port = freePort();
    Map<String, String> settings = settings(port);
    if (wayIn.equals("external")) {
      settings.put("hbase.blockcache.use.external", "true");
      settings.put("hbase.blockcache.external.class", NvHBaseBlockCache.class.getName());
      settings.put("hfile.block.cache.policy", "IndexOnlyLRU");
      settings.put("hbase.coprocessor.region.classes", NvCacheRegionObserver.class.getName());
      settings.put("hbase.coprocessor.regionserver.classes", NvCacheGuard.class.getName());
    } else {
      settings.put("hbase.regionserver.impl", NvCacheRegionServer.class.getName());
    }
    Process process = start(settings);
    try {
      Configuration client = HBaseConfiguration.create();
      client.set("hbase.zookeeper.quorum", "localhost");
      client.setInt("hbase.zookeeper.property.clientPort", port);
      try (Connection connection = ConnectionFactory.createConnection(client)) {
        LocalCluster.await("the master", () -> isUp(connection));
        VersionedTable table = VersionedTable.create(connection, "alone");
        table.write(0, ROWS);
        connection.getAdmin().flush(table.name());
        table.check(2000);
        table.write(0, ROWS / 2);
        connection.getAdmin().flush(table.name());
        connection.getAdmin().majorCompact(table.name());
        table.check(2000);
        table.checkAll();
      }
      assertThat(process.isAlive()).isTrue();
      assertThat(directory.resolve("nvcache.data")).exists();
    } finally {
      process.destroy();
      process.waitFor(1, TimeUnit.MINUTES);
      process.destroyForcibly();
    }
    String log = Files.readString(directory.resolve("log"));
    assertThat(log).contains("NVCache caches").doesNotContain("LEAK: RefCnt");
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
    Map<String, String> settings = settings(freePort());
    settings.put("hbase.regionserver.impl", NvCacheRegionServer.class.getName());
    settings.put("hbase.nvcache.overhead.target", "11");
    Process process = start(settings);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isNotZero();
    assertThat(Files.readString(directory.resolve("log")))
        .contains(
            "NVCache can't be used: hbase.nvcache.overhead.target is '11'; it must be a number from"
                + " 0 to 10; change or remove it in hbase-site.xml");
  }
}
