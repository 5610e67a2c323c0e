// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.nio.WriteLogFileSystemProvider;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How a node is to be started. Methods named {@code with…} change it and return it. */
final class NodeOptions {
  static final String FIRST = "5.0.2";
  static final String NEWEST = "newest";

  /** Shorter than the driver's. */
  private static final String REQUEST_LIMIT = "240s";

  private static final long LOG_BYTES = 64L << 20;

  private final String version;
  private final Path directory;
  private final Map<String, String> yaml = new TreeMap<>();
  private Path storage;
  private String heap = "768m";
  private List<Path> groups = List.of();
  private final int cqlPort = freePort();
  private final int jmxPort = freePort();
  private int storagePort = freePort();
  private String address = "127.0.0.1";
  private String seed = "127.0.0.1";
  private final List<String> agents = new ArrayList<>();
  private String front = "";
  private Path writeLog = Path.of("");
  private final List<String> logFlags = new ArrayList<>();
  private String logClasses = "";
  private Duration ringDelay = Duration.ofMillis(100);

  private NodeOptions(String version, Path directory) {
    this.version = version;
    this.directory = directory;
    this.storage = directory.resolve("storage");
    yaml.put("cluster_name", "nvcache");
    yaml.put("num_tokens", "4");
    yaml.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
    yaml.put("commitlog_sync", "periodic");
    yaml.put("commitlog_sync_period", "10s");
    yaml.put("endpoint_snitch", "SimpleSnitch");
    yaml.put("concurrent_compactors", "1");
    yaml.put("compaction_throughput", "0MiB/s");
    yaml.put("auto_snapshot", "false");
    yaml.put("write_request_timeout", REQUEST_LIMIT);
    yaml.put("read_request_timeout", REQUEST_LIMIT);
    yaml.put("range_request_timeout", REQUEST_LIMIT);
    yaml.put("truncate_request_timeout", REQUEST_LIMIT);
  }

  /** A node of one of the two versions, with its files in a new directory of this name. */
  static NodeOptions of(String version, String name) throws IOException {
    Path root = Path.of(System.getProperty("nvcache.it.directory"));
    Files.createDirectories(root);
    return new NodeOptions(version, Files.createTempDirectory(root, name + "-"));
  }

  NodeOptions withYaml(String key, String value) {
    yaml.put(key, value);
    return this;
  }

  /** With its data and its commit log in this directory. */
  NodeOptions withStorage(Path elsewhere) {
    storage = elsewhere;
    return this;
  }

  NodeOptions withHeap(String size) {
    heap = size;
    return this;
  }

  /** In these control groups from its first moment on. */
  NodeOptions withGroups(List<Path> directories) {
    groups = directories;
    return this;
  }

  /** SSTables in this format: big, or bti, which Cassandra 5.0 brought. */
  NodeOptions withFormat(String format) {
    if (format.equals("bti")) {
      yaml.put("storage_compatibility_mode", "NONE");
    }
    return withYaml("sstable", "{selected_format: " + format + "}");
  }

  /** With the agent of this build. */
  NodeOptions withAgent(String settings) {
    return withAgent(agentJar(), settings);
  }

  NodeOptions withAgent(Path jar, String settings) {
    agents.clear();
    agents.add("-javaagent:" + jar + "=" + settings);
    return this;
  }

  /** With the agent twice, as where two files of options name it. */
  NodeOptions withAgentOnceMore() {
    agents.add(agents.get(0));
    return this;
  }

  NodeOptions withoutAgent() {
    agents.clear();
    return this;
  }

  /** With a commit log that waits for the disk, and is written to it in this way. */
  NodeOptions withCommitLog(CommitLogAccess access) {
    yaml.put("commitlog_sync", "batch");
    yaml.remove("commitlog_sync_period");
    access.writeTo(yaml);
    return this;
  }

  /**
   * With its commit log going through a durable write log, which plays persistent memory.
   *
   * @param log its file
   */
  NodeOptions withWriteLog(Path log, Propagation propagation) throws IOException {
    writeLog = log;
    Files.createDirectories(commitLog());
    logFlags.clear();
    logFlags.addAll(
        List.of(
            "-Djava.nio.file.spi.DefaultFileSystemProvider="
                + WriteLogFileSystemProvider.class.getName(),
            "-Dnvcache.writelog.path=" + log,
            "-Dnvcache.writelog.roots=" + commitLog(),
            "-Dnvcache.writelog.capacityBytes=" + LOG_BYTES,
            "-Dnvcache.writelog.persistence=EMULATED",
            "-Dnvcache.writelog.propagation=" + propagation,
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"));
    logClasses =
        placeOf(WriteLogFileSystemProvider.class)
            + File.pathSeparator
            + placeOf(Durability.class)
            + File.pathSeparator;
    return this;
  }

  private static Path placeOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** On an address of its own, in the cluster of another node. */
  NodeOptions withAddress(String own, NodeOptions other) {
    address = own;
    seed = other.address;
    storagePort = other.storagePort;
    return this;
  }

  /** With a folder that hides what comes later on the class path. */
  NodeOptions withClassPathInFront(Path folder) {
    front = folder + File.pathSeparator;
    return this;
  }

  /** How long a node waits for others; nodes that are alone need not. */
  NodeOptions withRingDelay(Duration delay) {
    ringDelay = delay;
    return this;
  }

  static Path agentJar() {
    return Path.of(System.getProperty("nvcache.it.agent"));
  }

  Path directory() {
    return directory;
  }

  String address() {
    return address;
  }

  int cqlPort() {
    return cqlPort;
  }

  int jmxPort() {
    return jmxPort;
  }

  /** Writes what the node reads when it starts. */
  void writeFiles() throws IOException {
    writeYaml();
    Files.writeString(
        directory.resolve("logback.xml"),
        "<configuration><appender name='OUT' class='ch.qos.logback.core.ConsoleAppender'><encoder>"
            + "<pattern>%-5level [%thread] %logger{0} %msg%n</pattern></encoder></appender>"
            + "<logger name='org.apache.cassandra.config.Config' level='WARN'/>"
            + "<root level='INFO'><appender-ref ref='OUT'/></root></configuration>");
  }

  private void writeYaml() throws IOException {
    Map<String, String> all = new TreeMap<>(yaml);
    all.put("listen_address", address);
    all.put("rpc_address", address);
    all.put("storage_port", Integer.toString(storagePort));
    all.put("native_transport_port", Integer.toString(cqlPort));
    all.put(
        "seed_provider",
        "[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: \""
            + seed
            + ":"
            + storagePort
            + "\"}]}]");
    String text =
        all.entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue() + "\n")
            .collect(Collectors.joining());
    Files.writeString(directory.resolve("cassandra.yaml"), text);
  }

  /** Where the SSTables are. */
  Path data() {
    return storage.resolve("data");
  }

  /** Where the durable write log is. */
  Path writeLog() {
    return writeLog;
  }

  /** Where the segments of the commit log are. */
  Path commitLog() {
    return storage.resolve("commitlog");
  }

  void deleteStorage() throws IOException {
    if (Files.exists(storage)) {
      try (Stream<Path> files = Files.walk(storage)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** The command that starts the node. */
  List<String> command() throws IOException {
    return command("org.apache.cassandra.service.CassandraDaemon", "");
  }

  /** The command that starts something else in the node's place, with more on its class path. */
  List<String> command(String mainClass, String moreClasses) throws IOException {
    List<String> command = new ArrayList<>();
    if (!groups.isEmpty()) {
      String enter =
          groups.stream()
              .map(group -> "echo $$ > '" + group.resolve("cgroup.procs") + "'; ")
              .collect(Collectors.joining());
      command.addAll(List.of("sh", "-c", enter + "exec \"$@\"", "sh"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(agents);
    command.addAll(
        List.of(
            "-Xmx" + heap,
            "-Xms256m",
            "-XX:+UseSerialGC",
            "-Djava.security.manager=allow",
            "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
            "-Dcassandra.config=file://" + directory.resolve("cassandra.yaml"),
            "-Dcassandra.storagedir=" + storage,
            "-Dlogback.configurationFile=" + directory.resolve("logback.xml"),
            "-Dcassandra.jmx.local.port=" + jmxPort,
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.ring_delay_ms=" + ringDelay.toMillis(),
            "-Dcassandra-foreground=yes"));
    command.addAll(logFlags);
    command.addAll(
        List.of(
            "-Dnvcache.it.agent.on=" + !agents.isEmpty(),
            "-cp",
            classPath() + moreClasses,
            mainClass));
    return command;
  }

  private String classPath() throws IOException {
    Path written =
        Path.of(System.getProperty("nvcache.it.nodes"), "node-" + version, "target", "classpath");
    if (!Files.exists(written)) {
      throw new IllegalStateException(
          "there is no " + written + "; run the integration tests with -Pintegration and -am");
    }
    return front + logClasses + Files.readString(written).trim();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
