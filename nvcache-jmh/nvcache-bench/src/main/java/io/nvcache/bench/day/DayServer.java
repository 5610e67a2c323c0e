// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.bench.clients.HBaseServer;
import io.nvcache.bench.clients.ServerSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One of the servers that are compared, through all of its processes. For one thread. */
final class DayServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DayServer.class);

  static final TableName TABLE = TableName.valueOf("Day");

  /** Of a client that outlasts what regions do. */
  private static final int RETRIES = 12;

  /** As an operator waits for a region. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final int LOOK_MILLIS = 50;

  /** As small as the day is short: memstores are flushed, and files compacted, in it. */
  private static final String MEMSTORE_BYTES = Integer.toString(4 << 20);

  /**
   * Of 65 KiB: HBase would keep up to 125 MiB of them, off the heap, to be used by its handlers.
   */
  private static final String BUFFERS = "640";

  private final DayEngine engine;
  private final DaySettings settings;
  private final DayRows rows;
  private final Path directory;
  private final HBaseServer server;
  private @Nullable Connection connection;
  private @Nullable ProcessCounts counts;
  private long formerRequests;
  private long formerBytes;

  DayServer(Path directory, DayEngine engine, DaySettings settings) throws IOException {
    this(directory, engine, settings, Map.of());
  }

  /**
   * Prepares a server.
   *
   * @param more keys of its {@code hbase-site.xml}, which win over the engine's
   */
  DayServer(Path directory, DayEngine engine, DaySettings settings, Map<String, String> more)
      throws IOException {
    this.engine = engine;
    this.settings = settings;
    this.rows = new DayRows(settings.rows());
    this.directory = directory;
    this.server = new HBaseServer(directory, setup(engine.label(), directory, more));
  }

  private ServerSetup setup(String label, Path place, Map<String, String> more) {
    Map<String, String> keys = new HashMap<>(engine.site(place, settings.capacityBytes()));
    keys.putAll(more);
    keys.put("hbase.hregion.memstore.flush.size", MEMSTORE_BYTES);
    keys.put("hbase.server.allocator.max.buffer.count", BUFFERS);
    return new ServerSetup(label, keys, settings.servers());
  }

  DayEngine engine() {
    return engine;
  }

  DayRows rows() {
    return rows;
  }

  boolean isAlive() {
    return server.process().isAlive();
  }

  Path root() {
    return server.root();
  }

  /** Returns the connection of all threads that read, until the server is stopped. */
  Connection connection() {
    if (connection == null) {
      throw notStarted();
    }
    return connection;
  }

  private static IllegalStateException notStarted() {
    return new IllegalStateException("the server is not started");
  }

  private ProcessCounts counts() {
    if (counts == null) {
      throw notStarted();
    }
    return counts;
  }

  void start() throws IOException, InterruptedException {
    server.start();
    admin().balancerSwitch(false, true);
    Configuration client = server.client();
    client.setInt("hbase.client.retries.number", RETRIES);
    connection = ConnectionFactory.createConnection(client);
    counts = new ProcessCounts(engine, server.process(), server.beans());
  }

  /**
   * Starts it after a stop or a kill. HBase 2.6.1 now and then does not start with the map that its
   * BucketCache has left, because the map is empty; then it is deleted, as an operator would.
   *
   * @return whether the second level was taken as it was left
   */
  boolean startAgain() throws IOException, InterruptedException {
    try {
      start();
      return true;
    } catch (IllegalStateException e) {
      if (!engine.isBucketCache()) {
        throw e;
      }
      LOG.warn("{} does not start with the map that it left", engine.label(), e);
      Files.delete(engine.map(directory));
      start();
      return false;
    }
  }

  /** Returns a count of NVCache. */
  long nvCache(String attribute) throws IOException {
    return counts().nvCache(attribute);
  }

  void stop() throws IOException, InterruptedException {
    end();
    server.stop();
  }

  /** Kills it, as {@code kill -9} does. */
  void kill() throws IOException, InterruptedException {
    end();
    server.kill();
  }

  private void end() throws IOException {
    formerRequests = storeRequests();
    formerBytes = writtenBytes();
    counts = null;
    connection().close();
  }

  private Admin admin() throws IOException {
    return server.connection().getAdmin();
  }

  /** Returns the requests to store files that reads have waited for, from the first process on. */
  long storeRequests() throws IOException {
    return formerRequests + counts().storeRequests();
  }

  /** Returns the bytes that were written to the second level, from the first process on. */
  long writtenBytes() throws IOException {
    return formerBytes + counts().writtenBytes();
  }

  /** Returns one of HBase's own counts, which are a second old. */
  long metric(String name) throws IOException, InterruptedException {
    return counts().metric(name);
  }

  /**
   * Closes the first region and opens it again, which is what a move away and back does to the
   * cache of a server. Ends when the region serves.
   */
  void closeAndOpenARegion() throws IOException, InterruptedException {
    byte[] region = admin().getRegions(TABLE).get(0).getRegionName();
    admin().unassign(region);
    admin().assign(region);
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!admin().isTableAvailable(TABLE)) {
      if (System.nanoTime() - until > 0) {
        throw new IOException(
            "a region of " + engine.label() + " was closed, and did not open within " + PATIENCE);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  void beginMajorCompaction() throws IOException {
    admin().majorCompact(TABLE);
  }

  boolean isCompacting() throws IOException {
    return server.isCompacting(TABLE);
  }

  void awaitCompactions() throws IOException, InterruptedException {
    server.awaitCompactions(TABLE);
  }

  @Override
  public void close() throws IOException {
    if (connection != null) {
      connection.close();
    }
    server.close();
  }
}
