// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.bench.hbase.MemoryGroup;
import io.nvcache.bench.hbase.SlowStoreFiles;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
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
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase in local mode, in a separate JVM with the class path that it was released with. May be
 * started and stopped several times on the same data. For one thread.
 */
public final class HBaseServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HBaseServer.class);
  private static final List<String> MEMORY =
      List.of("-Xms768m", "-Xmx768m", "-XX:+AlwaysPreTouch", "-XX:MaxDirectMemorySize=1g");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final int LOOK_MILLIS = 100;

  /** The bean of HBase's metrics. */
  private static final String METRICS = "Hadoop:service=HBase,name=RegionServer,sub=Server";

  /** HBase's metrics are as old as this, at most. */
  private static final int METRICS_SECONDS = 1;

  private static final String LOGGING =
      """
      log4j.rootLogger=WARN,console
      log4j.logger.io.nvcache=INFO
      log4j.logger.org.apache.hadoop.hbase.io.hfile.bucket=INFO
      log4j.logger.org.apache.hadoop.hbase.PerformanceEvaluation=INFO
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d %p [%t] %c: %m%n
      """;

  private final Path directory;
  private final Path site;
  private final ServerSetup setup;
  private final int zooKeeperPort = freePort();
  private final int masterPort = freePort();
  private final ServerBeans beans = new ServerBeans(freePort());
  private final MemoryGroup memory;
  private @Nullable Process process;
  private @Nullable Connection connection;

  /**
   * Prepares a server.
   *
   * @param directory of its data and its settings
   */
  public HBaseServer(Path directory, ServerSetup setup) throws IOException {
    this.directory = directory;
    this.site = directory.resolve("site");
    this.setup = setup;
    writeSite(site, keys(setup, freePort(), beans.port()));
    this.memory = MemoryGroup.make(setup.base().memoryBytes(), setup.label());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private Map<String, String> keys(ServerSetup setup, int port, int infoPort) {
    Map<String, String> keys = new HashMap<>(setup.keys());
    keys.put("hbase.rootdir", root().toUri().toString());
    keys.put("hbase.tmp.dir", directory.resolve("tmp").toString());
    keys.put("hbase.unsafe.stream.capability.enforce", "false");
    keys.put("hbase.wal.provider", "filesystem");
    keys.put("hbase.localcluster.assign.random.ports", "false");
    keys.put("hbase.master.port", Integer.toString(masterPort));
    keys.put("hbase.regionserver.port", Integer.toString(port));
    keys.put("hbase.master.info.port", "-1");
    keys.put("hbase.regionserver.info.port", Integer.toString(infoPort));
    keys.put("hbase.zookeeper.quorum", "localhost");
    keys.put("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort));
    keys.put("hbase.regionserver.metrics.period", Integer.toString(METRICS_SECONDS * 1000));
    keys.put("hfile.onheap.block.cache.fixed.size", Long.toString(setup.base().dramBytes()));
    Duration delay = setup.base().delay();
    if (!delay.isZero()) {
      keys.put("fs.file.impl", SlowStoreFiles.class.getName());
      keys.put(SlowStoreFiles.DELAY_MILLIS, Long.toString(delay.toMillis()));
    }
    return keys;
  }

  private static void writeSite(Path site, Map<String, String> keys) throws IOException {
    Files.createDirectories(site);
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

  /** Silences client and ZooKeeper, which warn of a server that is not up yet, with traces. */
  public static void quietenClients() {
    for (String name : List.of("org.apache.hadoop.hbase", "org.apache.zookeeper")) {
      System.setProperty("org.slf4j.simpleLogger.log." + name, "off");
    }
  }

  /** Returns where the tables are. */
  public Path root() {
    return directory.resolve("root");
  }

  /** Returns the directory of the settings, for clients as well. */
  Path site() {
    return site;
  }

  String quorum() {
    return "localhost:" + zooKeeperPort;
  }

  /** Returns the settings by which clients find the server. */
  public Configuration client() {
    Configuration client = HBaseConfiguration.create();
    client.set("hbase.zookeeper.quorum", "localhost");
    client.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    return client;
  }

  /** Starts the server and waits until it serves. */
  public void start() throws IOException, InterruptedException {
    Process started =
        start(
            site,
            directory.resolve("server.log"),
            List.of("org.apache.hadoop.hbase.master.HMaster", "start"));
    process = started;
    Configuration client = client();
    client.setInt("hbase.client.retries.number", 3);
    await(started, directory.resolve("server.log"), () -> serves(client));
    memory.add(started.pid());
  }

  private Process start(Path ofSite, Path log, List<String> program) throws IOException {
    String own =
        Path.of(
                URI.create(
                    SlowStoreFiles.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
            .toString();
    return JavaProcess.start(
        ofSite, log, setup.base().classPath() + File.pathSeparator + own, MEMORY, program);
  }

  /** A state that is waited for. */
  @FunctionalInterface
  private interface Condition {
    boolean holds() throws IOException;
  }

  private void await(Process started, Path log, Condition condition)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!holds(condition)) {
      if (!started.isAlive() || System.nanoTime() > until) {
        throw new IllegalStateException(
            "HBase with "
                + setup.label()
                + " does not serve; it printed\n"
                + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private static boolean holds(Condition condition) {
    try {
      return condition.holds();
    } catch (IOException e) {
      return false; // A server that starts takes processors, and its ZooKeeper may be slow.
    }
  }

  private boolean serves(Configuration client) {
    try {
      Connection opened =
          connection == null ? ConnectionFactory.createConnection(client) : connection;
      connection = opened;
      return opened.getAdmin().isTableAvailable(TableName.META_TABLE_NAME)
          && beans.show(METRICS).contains("l2CacheCount") // It appears a little later.
          && opened.getAdmin().getClusterMetrics().getLiveServerMetrics().size() == 1
          && allRegionsAreServed(opened)
          && opened.getAdmin().listNamespaces().length > 0; // A master that begins refuses that.
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

  /** Returns a connection, until the server is stopped. */
  public Connection connection() {
    if (connection == null) {
      throw new IllegalStateException("the server is not started");
    }
    return connection;
  }

  /** Returns whether files of a table are compacted now. */
  public boolean isCompacting(TableName table) throws IOException {
    return connection().getAdmin().getCompactionState(table) != CompactionState.NONE;
  }

  /** Waits until no file of a table is compacted. */
  public void awaitCompactions(TableName table) throws IOException, InterruptedException {
    while (isCompacting(table)) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Returns what the server has counted by now. */
  ServerCounts counts() throws IOException, InterruptedException {
    TimeUnit.MILLISECONDS.sleep(METRICS_SECONDS * 2500L);
    return ServerCounts.of(
        beans.show(METRICS),
        beans.show("Hadoop:service=HBase,name=RegionServer,sub=IO"),
        setup.isNvCache() ? beans.show("Hadoop:service=HBase,name=RegionServer,sub=NvCache,*") : "",
        beans.show("java.lang:type=Memory"),
        beans.show("java.lang:type=GarbageCollector,*"));
  }

  /** Returns the beans of the server's JVM. */
  public ServerBeans beans() {
    return beans;
  }

  /** Stops the server as an operator does. */
  public void stop() throws IOException, InterruptedException {
    disconnect();
    if (process != null) {
      process.destroy();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      process = null;
    }
  }

  /** Kills the server, as {@code kill -9} does. */
  public void kill() throws InterruptedException {
    disconnect();
    if (process != null) {
      process.destroyForcibly().waitFor();
      process = null;
    }
  }

  /**
   * Returns the process of the server.
   *
   * @throws IllegalStateException if it is not started
   */
  public Process process() {
    if (process == null) {
      throw new IllegalStateException("the server is not started");
    }
    return process;
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
