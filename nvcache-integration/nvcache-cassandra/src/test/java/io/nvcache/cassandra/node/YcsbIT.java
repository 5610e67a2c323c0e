// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** YCSB's workloads on a node with the cache and on one without it. */
class YcsbIT {
  private static final int OPERATIONS = 10_000;

  /** D and E insert, so they come last, as YCSB's authors advise. */
  private static final List<String> ORDER = List.of("A", "B", "C", "F", "D", "E");

  @Test
  void shouldRunAllWorkloadsWithoutErrorsAndReadLessFromFiles() throws Exception {
    NodeOptions options = NodeOptions.of(NodeOptions.NEWEST, "ycsb");
    Map<String, YcsbPhase> without = run(options);
    options.withAgent(
        "nvcache.capacity.bytes=268435456,nvcache.policies=admit-all,nvcache.overhead.target=10,"
            + "nvcache.smallbypass.dram.bytes=0");
    Map<String, YcsbPhase> with = run(options);
    for (String workload : ORDER) {
      report(workload, with.get(workload), without.get(workload));
      assertThat(with.get(workload).errors()).as(workload + " with").isZero();
      assertThat(without.get(workload).errors()).as(workload + " without").isZero();
    }
    assertThat(with.get("C").io().readBytes()).isLessThan(without.get("C").io().readBytes() / 2);
  }

  private static Map<String, YcsbPhase> run(NodeOptions options) throws Exception {
    Map<String, YcsbPhase> phases = new LinkedHashMap<>();
    try (CassandraNode node = CassandraNode.start(options);
        CqlSession session = node.session();
        NodeJmx jmx = node.jmx()) {
      CqlDb.createTable(session);
      CqlDb db = new CqlDb(session);
      assertThat(YcsbPhase.load(node, db).errors()).isZero();
      jmx.flush("ycsb", "usertable");
      // Before it counts, for the just-in-time compiler and the caches.
      assertThat(YcsbPhase.run(node, db, "A", OPERATIONS).errors()).isZero();
      assertThat(YcsbPhase.run(node, db, "C", OPERATIONS).errors()).isZero();
      for (String workload : ORDER) {
        YcsbPhase phase = YcsbPhase.run(node, db, workload, OPERATIONS);
        System.out.println("YCSB " + workload + ": " + phase);
        phases.put(workload, phase);
      }
    }
    return phases;
  }

  private static void report(String workload, YcsbPhase with, YcsbPhase without) {
    System.out.printf(
        Locale.ROOT,
        "YCSB %s, per operation, with the agent and without: %d and %d bytes that read calls"
            + " returned, ratio %.2f; %.1f and %.1f calls; %.0f and %.0f µs of CPU, ratio %.2f%n",
        workload,
        with.io().readBytes() / with.operations(),
        without.io().readBytes() / without.operations(),
        (double) with.io().readBytes() / without.io().readBytes(),
        (double) with.io().readCalls() / with.operations(),
        (double) without.io().readCalls() / without.operations(),
        with.cpuMicros(),
        without.cpuMicros(),
        with.cpuMicros() / without.cpuMicros());
  }
}
