// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An unmodified Cassandra node in a process of its own, listening on a loopback address only. Its
 * files outlive {@link #stop}, so that another node may be started on them.
 */
final class CassandraNode implements AutoCloseable {
  /** Far more than it takes, since nothing is won by giving up on a busy machine. */
  private static final Duration START_LIMIT = Duration.ofMinutes(15);

  private static final Duration REQUEST_LIMIT = Duration.ofMinutes(5);

  private final NodeOptions options;
  private final Process process;
  private final Path log;

  private CassandraNode(NodeOptions options, Process process, Path log) {
    this.options = options;
    this.process = process;
    this.log = log;
  }

  /** Starts a node and waits until it answers. */
  static CassandraNode start(NodeOptions options) throws Exception {
    CassandraNode node = launch(options);
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      if (!node.process.isAlive()) {
        throw new IllegalStateException("the node ended:\n" + node.tail());
      }
      if (node.listens() && node.answers()) {
        return node;
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
    node.stop();
    throw new IllegalStateException("the node does not answer:\n" + node.tail());
  }

  private boolean listens() {
    try (Socket socket = new Socket(options.address(), options.cqlPort())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private boolean answers() {
    try (CqlSession session = session()) {
      return session.execute("SELECT release_version FROM system.local").one() != null;
    } catch (DriverException e) {
      return false;
    }
  }

  /** Starts a node that is expected to end by itself, and waits for that. */
  static CassandraNode startInVain(NodeOptions options) throws Exception {
    CassandraNode node = launch(options);
    if (!node.process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      node.stop();
      throw new IllegalStateException("the node did not end:\n" + node.tail());
    }
    return node;
  }

  private static CassandraNode launch(NodeOptions options) throws IOException {
    Files.createDirectories(options.directory());
    options.writeFiles();
    Path log = options.directory().resolve("output.log");
    List<String> command = options.command();
    Process process =
        new ProcessBuilder(command)
            .directory(options.directory().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return new CassandraNode(options, process, log);
  }

  /** A new connection, for which one answer is enough; the caller closes it. */
  CqlSession session() {
    return session("LOCAL_ONE");
  }

  /** A new connection whose requests need that many answers; the caller closes it. */
  CqlSession session(String consistency) {
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(options.address(), options.cqlPort()))
        .withLocalDatacenter("datacenter1")
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_LIMIT)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, START_LIMIT)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, START_LIMIT)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, REQUEST_LIMIT)
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, consistency)
                .build())
        .build();
  }

  NodeJmx jmx() throws IOException {
    return NodeJmx.connect(options.jmxPort());
  }

  /** What the operating system has counted for the process. */
  ProcessIo io() throws IOException {
    return ProcessIo.of(process.pid());
  }

  int exitValue() {
    return process.exitValue();
  }

  String output() throws IOException {
    return Files.readString(log);
  }

  private String tail() throws IOException {
    String all = output();
    return all.substring(Math.max(0, all.length() - 6000));
  }

  /** Begins to end the process as {@code kill -9} does. */
  void beginKill() {
    process.toHandle().destroyForcibly();
  }

  /** Ends the process as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Ends the process, in an orderly way if that works. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  /** Stops the node and deletes its data; what it printed stays. */
  @Override
  public void close() throws Exception {
    stop();
    options.deleteStorage();
  }
}
