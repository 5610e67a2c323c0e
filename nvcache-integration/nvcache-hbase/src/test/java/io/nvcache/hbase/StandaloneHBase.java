// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * HBase in stand-alone mode, a process of its own with the class path that it was released with, to
 * which the one jar is added, and its settings.
 */
final class StandaloneHBase {
  private final Path directory;
  private final Map<String, String> settings = new HashMap<>();
  private final int zooKeeperPort;

  StandaloneHBase(Path directory) throws IOException {
    this.directory = directory;
    this.zooKeeperPort = freePort();
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
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  StandaloneHBase set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  Process start() throws IOException {
    ForkedJvm.writeSite(directory, settings);
    return ForkedJvm.startServer(
        directory,
        directory.resolve("log"),
        "org.apache.hadoop.hbase.master.HMaster",
        List.of("start"));
  }

  /** Waits for a server that serves, and connects to it. */
  Connection connect() throws Exception {
    Configuration client = HBaseConfiguration.create();
    client.set("hbase.zookeeper.quorum", "localhost");
    client.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    Connection connection = ConnectionFactory.createConnection(client);
    LocalCluster.await("the master", () -> isUp(connection));
    return connection;
  }

  /** A master that was started again may for a while name the server of the time before. */
  private static boolean isUp(Connection connection) {
    try {
      if (!connection.getAdmin().isTableAvailable(TableName.META_TABLE_NAME)) {
        return false;
      }
      OptionalInt port = infoPort(connection);
      if (port.isPresent()) {
        new Socket("localhost", port.getAsInt()).close();
      }
      return port.isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns where the pages of the region server are that was started last. */
  private static OptionalInt infoPort(Connection connection) throws IOException {
    return connection.getAdmin().getClusterMetrics().getLiveServerMetrics().entrySet().stream()
        .sorted(Comparator.comparingLong(server -> -server.getKey().getStartCode()))
        .mapToInt(server -> server.getValue().getInfoServerPort())
        .findFirst();
  }

  static void stop(Process process) throws InterruptedException {
    process.destroy();
    process.waitFor(5, TimeUnit.MINUTES);
    process.destroyForcibly().waitFor();
  }

  /** What the last process printed. */
  String log() {
    try {
      return Files.readString(directory.resolve("log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void assertServedWithoutLeaks() {
    assertThat(log()).contains("NVCache caches").doesNotContain("LEAK: RefCnt");
  }

  /** Returns one of the pages of the region server. */
  static String page(Connection connection, String path) throws Exception {
    return ServerPage.get(infoPort(connection).orElseThrow(), path);
  }
}
