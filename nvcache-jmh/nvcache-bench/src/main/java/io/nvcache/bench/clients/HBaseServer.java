// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.bench.hbase.MemoryGroup;
import io.nvcache.bench.hbase.SlowStoreFiles;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase in stand-alone mode, in a JVM of its own with the class path that it was released with. May
 * be started and stopped several times on the same data. For one thread.
 */
final class HBaseServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HBaseServer.class);
  private static final List<String> MEMORY =
      List.of("-Xms768m", "-Xmx768m", "-XX:+AlwaysPreTouch", "-XX:MaxDirectMemorySize=1g");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String JMX = "/jmx?qry=";

  /** HBase's metrics are as old as this, at most. */
  private static final int METRICS_SECONDS = 1;

  private static final String LOGGING =
      """
      log4j.rootLogger=WARN,console
      log4j.logger.io.nvcache=INFO
      log4j.logger.org.apache.hadoop.hbase.PerformanceEvaluation=INFO
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d %p [%t] %c: %m%n
      """;

  private final Path directory;
  private final Path site;
  private final ClientsSettings settings;
  private final ClientsEngine engine;
  private final int zooKeeperPort = freePort();
  private final int infoPort = freePort();
  private final MemoryGroup memory;
  private @Nullable Process process;
  private @Nullable Connection connection;

  /**
   * Prepares a server.
   *
   * @param directory of its data and its settings
   */
  HBaseServer(Path directory, ClientsEngine engine, ClientsSettings settings) throws IOException {
    this.directory = directory;
    this.site = Files.createDirectories(directory.resolve("site"));
    this.settings = settings;
    this.engine = engine;
    writeSite();
    this.memory = MemoryGroup.make(settings.memoryBytes());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void writeSite() throws IOException {
    Map<String, String> keys = new HashMap<>(engine.site(directory, settings.capacityBytes()));
    keys.put("hbase.rootdir", root().toUri().toString());
    keys.put("hbase.tmp.dir", directory.resolve("tmp").toString());
    keys.put("hbase.unsafe.stream.capability.enforce", "false");
    keys.put("hbase.wal.provider", "filesystem");
    keys.put("hbase.localcluster.assign.random.ports", "false");
    keys.put("hbase.master.port", Integer.toString(freePort()));
    keys.put("hbase.regionserver.port", Integer.toString(freePort()));
    keys.put("hbase.master.info.port", "-1");
    keys.put("hbase.regionserver.info.port", Integer.toString(infoPort));
    keys.put("hbase.zookeeper.quorum", "localhost");
    keys.put("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort));
    keys.put("hbase.regionserver.metrics.period", Integer.toString(METRICS_SECONDS * 1000));
    keys.put("hfile.onheap.block.cache.fixed.size", Long.toString(settings.dramBytes()));
    if (!settings.delay().isZero()) {
      keys.put("fs.file.impl", SlowStoreFiles.class.getName());
      keys.put(SlowStoreFiles.DELAY_MILLIS, Long.toString(settings.delay().toMillis()));
    }
    String properties =
        keys.entrySet().stream()
            .map(
                key ->
                    "<property><name>%s</name><value>%s</value></property>\n"
                        .formatted(key.getKey(), key.getValue()))
            .collect(Collectors.joining());
    Files.writeString(
        site.resolve("hbase-site.xml"), "<configuration>\n" + properties + "</configuration>\n");
    Files.writeString(site.resolve("log4j.properties"), LOGGING);
    Files.writeString(
        site.resolve("hadoop-metrics2-hbase.properties"), "*.period=" + METRICS_SECONDS + "\n");
  }

  /** Returns where the tables are. */
  Path root() {
    return directory.resolve("root");
  }

  /** Returns the directory of the settings, for clients as well. */
  Path site() {
    return site;
  }

  String quorum() {
    return "localhost:" + zooKeeperPort;
  }

  /** Starts the server and waits until it serves. */
  void start() throws IOException, InterruptedException {
    String own =
        Path.of(
                URI.create(
                    SlowStoreFiles.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
            .toString();
    process =
        JavaProcess.start(
            site,
            directory.resolve("server.log"),
            settings.serverClassPath() + File.pathSeparator + own,
            MEMORY,
            List.of("org.apache.hadoop.hbase.master.HMaster", "start"));
    Configuration client = HBaseConfiguration.create();
    client.set("hbase.zookeeper.quorum", "localhost");
    client.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    client.setInt("hbase.client.retries.number", 3);
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!serves(client)) {
      if (!process.isAlive() || System.nanoTime() > until) {
        throw new IllegalStateException(
            "HBase with " + engine.label() + " does not serve; it printed\n" + log());
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
    memory.add(process.pid());
  }

  private boolean serves(Configuration client) {
    try {
      Connection opened =
          connection == null ? ConnectionFactory.createConnection(client) : connection;
      connection = opened;
      return opened.getAdmin().isTableAvailable(TableName.META_TABLE_NAME)
          && !page(JMX + "java.lang:type=Memory").isEmpty()
          && opened.getAdmin().getClusterMetrics().getLiveServerMetrics().size() == 1
          && allRegionsAreServed(opened);
    } catch (IOException e) {
      disconnect(); // What it has learnt may be of the server of before.
      return false;
    }
  }

  private void disconnect() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (IOException e) {
      LOG.debug("A connection did not close", e);
    }
    connection = null;
  }

  private static boolean allRegionsAreServed(Connection opened) throws IOException {
    for (TableName table : opened.getAdmin().listTableNames()) {
      if (!opened.getAdmin().isTableAvailable(table)) {
        return false;
      }
    }
    return true;
  }

  Connection connection() {
    if (connection == null) {
      throw new IllegalStateException("the server is not started");
    }
    return connection;
  }

  /** Returns what the server has counted by now. */
  ServerCounts counts() throws IOException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(METRICS_SECONDS * 2500L);
    return ServerCounts.of(
        page(JMX + "Hadoop:service=HBase,name=RegionServer,sub=Server"),
        page(JMX + "Hadoop:service=HBase,name=RegionServer,sub=IO"),
        engine.isNvCache()
            ? page(JMX + "Hadoop:service=HBase,name=RegionServer,sub=NvCache,*")
            : "",
        page(JMX + "java.lang:type=Memory"),
        page(JMX + "java.lang:type=GarbageCollector,*"));
  }

  private String page(String path) throws IOException {
    URI address = URI.create("http://localhost:" + infoPort + path);
    try (InputStream in = address.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String log() throws IOException {
    return Files.readString(directory.resolve("server.log"));
  }

  /** Stops the server as an operator does. */
  void stop() throws IOException, InterruptedException {
    disconnect();
    if (process != null) {
      process.destroy();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      process = null;
    }
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      if (process != null) {
        process.destroyForcibly();
      }
    }
    memory.close();
  }
}
