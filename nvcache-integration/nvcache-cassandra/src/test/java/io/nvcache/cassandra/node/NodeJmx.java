// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What nodetool does, over the same interface. */
final class NodeJmx implements AutoCloseable {
  private static final String STORAGE = "org.apache.cassandra.db:type=StorageService";
  private static final String NODE = "org.apache.cassandra.db:type=NVCache";
  static final String CACHE = "org.apache.cassandra.db:type=NvCache,name=cassandra";

  private final JMXConnector connector;
  private final MBeanServerConnection server;

  private NodeJmx(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
  }

  @SuppressWarnings("BanJNDI") // The URL is ours, and the node on this machine.
  static NodeJmx connect(int port) throws IOException {
    return new NodeJmx(
        JMXConnectorFactory.connect(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi")));
  }

  Object attribute(String bean, String name) throws Exception {
    return server.getAttribute(new ObjectName(bean), name);
  }

  void attribute(String bean, String name, Object value) throws Exception {
    server.setAttribute(new ObjectName(bean), new Attribute(name, value));
  }

  boolean has(String bean) throws Exception {
    return server.isRegistered(new ObjectName(bean));
  }

  /** One of Cassandra's metrics of the cache. */
  Number metric(String name) throws Exception {
    return (Number) attribute("org.apache.cassandra.metrics:type=NVCache,name=" + name, "Value");
  }

  /** A count of the cache itself. */
  long cache(String attribute) throws Exception {
    return ((Number) attribute(CACHE, attribute)).longValue();
  }

  /** A count of the durable write log in this file. */
  long writeLog(Path log, String attribute) throws Exception {
    String bean = "io.nvcache:type=WriteLog,name=" + ObjectName.quote(log.toString());
    return ((Number) attribute(bean, attribute)).longValue();
  }

  /** A text of the cache itself. */
  String text(String attribute) throws Exception {
    return (String) attribute(CACHE, attribute);
  }

  String state() throws Exception {
    return (String) attribute(NODE, "State");
  }

  /** The cache is built in the background when the first data file is opened. */
  void awaitServing() throws Exception {
    for (int attempt = 0; attempt < 3000 && !state().equals("SERVING"); attempt++) {
      Thread.sleep(100);
    }
    assertThat(state()).isEqualTo("SERVING");
  }

  void serving(boolean serving) throws Exception {
    attribute(NODE, "Serving", serving);
  }

  /** What compactions read from the cache. */
  long compactionHits() throws Exception {
    return (Long) attribute(NODE, "CompactionHits");
  }

  void compactionHeat(boolean on) throws Exception {
    attribute(NODE, "CompactionHeat", on);
  }

  String compactionHeatProblem() throws Exception {
    return (String) attribute(NODE, "CompactionHeatProblem");
  }

  /** An entry of the ledger of the cache. */
  long ledger(String entry) throws Exception {
    TabularData entries = (TabularData) attribute(CACHE, "Ledger");
    return (Long) entries.get(new Object[] {entry}).get("value");
  }

  long bypasses(String reason) throws Exception {
    TabularData counts = (TabularData) attribute(NODE, "Bypasses");
    return (Long) counts.get(new Object[] {reason}).get("value");
  }

  /**
   * Nanoseconds of processor time by thread of Java, without those of the just-in-time compiler and
   * the garbage collector.
   */
  Map<Long, Long> cpuNanosByThread() throws Exception {
    long[] ids = (long[]) attribute(ManagementFactory.THREAD_MXBEAN_NAME, "AllThreadIds");
    long[] nanos =
        (long[])
            server.invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                "getThreadCpuTime",
                new Object[] {ids},
                new String[] {long[].class.getName()});
    Map<Long, Long> byThread = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      byThread.put(ids[i], Math.max(0, nanos[i])); // -1 for a thread that has ended meanwhile.
    }
    return byThread;
  }

  /** What the SSTables of a table take on the disk. */
  long liveBytes(String keyspace, String table) throws Exception {
    return ((Number)
            attribute(
                "org.apache.cassandra.metrics:type=Table,keyspace="
                    + keyspace
                    + ",scope="
                    + table
                    + ",name=LiveDiskSpaceUsed",
                "Count"))
        .longValue();
  }

  void flush(String keyspace, String... tables) throws Exception {
    storage("forceKeyspaceFlush", keyspace, tables);
  }

  void compact(String keyspace, String... tables) throws Exception {
    storage("forceKeyspaceCompaction", false, keyspace, tables);
  }

  /** Rewrites the SSTables, as they are, checking the rows. */
  void scrub(String keyspace, String... tables) throws Exception {
    storage("scrub", true, false, true, 1, keyspace, tables);
  }

  /** Makes the copies of a keyspace equal, and returns how that ended. */
  @SuppressWarnings("unchecked")
  String repair(String keyspace) throws Exception {
    Map<String, String> options = Map.of("incremental", "false", "parallelism", "parallel");
    Object command = storage("repairAsync", keyspace, new HashMap<>(options));
    while (true) {
      List<String> status = (List<String>) storage("getParentRepairStatus", command);
      if (status != null && !status.get(0).equals("IN_PROGRESS")) {
        return status.get(0);
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  Object storage(String operation, Object... arguments) throws Exception {
    return invoke(STORAGE, operation, arguments);
  }

  Object invoke(String bean, String operation, Object... arguments) throws Exception {
    String[] types = Arrays.stream(arguments).map(NodeJmx::typeName).toArray(String[]::new);
    return server.invoke(new ObjectName(bean), operation, arguments, types);
  }

  private static String typeName(Object argument) {
    if (argument instanceof Boolean) {
      return "boolean";
    }
    if (argument instanceof Integer) {
      return "int";
    }
    return argument instanceof Map ? Map.class.getName() : argument.getClass().getName();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
