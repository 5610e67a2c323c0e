// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * HBase's PerformanceEvaluation and LoadTestTool, each run in a separate JVM, on a table that each
 * server has a copy of.
 */
final class LoadGenerators {
  static final String TABLE = "TestTable";

  private static final String EVALUATION = "org.apache.hadoop.hbase.PerformanceEvaluation";
  private static final String LOAD_TEST = "org.apache.hadoop.hbase.util.LoadTestTool";
  private static final int REGIONS = 4;

  /** PerformanceEvaluation keeps a million latencies a thread, several times. */
  private static final List<String> MEMORY = List.of("-Xmx2g");

  private static final long MOST_MINUTES = 10;

  private final ClientsSettings settings;
  private final HBaseServer server;

  LoadGenerators(ClientsSettings settings, HBaseServer server) {
    this.settings = settings;
    this.server = server;
  }

  /** Writes all rows. */
  void write() throws IOException, InterruptedException {
    evaluate(List.of("--rows=" + settings.rows(), "--presplit=" + REGIONS, "sequentialWrite", "1"));
  }

  /** Reads rows, the same number in each call and all as often. */
  LoadResult read() throws IOException, InterruptedException {
    int rowsOfThread = settings.rows() / settings.threads();
    int every =
        settings.rows() / settings.reads(); // PerformanceEvaluation reads one row of so many.
    return evaluate(
            List.of(
                "--rows=" + rowsOfThread,
                "--sampleRate=" + 1 / (every + 0.5), // It takes the whole of the inverse.
                "--latency",
                "--oneCon=true",
                "randomRead",
                Integer.toString(settings.threads())))
        .ofEvery(every, (long) rowsOfThread * settings.threads());
  }

  private LoadResult evaluate(List<String> arguments) throws IOException, InterruptedException {
    List<String> program = new ArrayList<>(List.of(EVALUATION, "--nomapred", "--table=" + TABLE));
    program.addAll(arguments);
    return LoadResult.of(run("client.log", program));
  }

  /**
   * Writes keys of another table, and reads and verifies them all.
   *
   * @throws IllegalStateException if a key was not as it was written
   */
  void verify() throws IOException, InterruptedException {
    String output =
        run(
            "load-test.log",
            List.of(
                LOAD_TEST,
                "-tn",
                "LoadTest",
                "-zk",
                server.quorum(),
                "-write",
                "1:256:2",
                "-read",
                "100:2",
                "-num_keys",
                Integer.toString(settings.verifiedKeys())));
    if (!output.contains("Failed to write keys: 0")) {
      throw new IllegalStateException("LoadTestTool found wrong keys; it printed\n" + output);
    }
  }

  private String run(String name, List<String> program) throws IOException, InterruptedException {
    Path log = server.site().resolveSibling(name);
    Process process =
        JavaProcess.start(server.site(), log, settings.clientClassPath(), MEMORY, program);
    boolean ended = process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
    process.destroyForcibly().waitFor();
    String output = Files.readString(log);
    if (!ended || process.exitValue() != 0) {
      throw new IllegalStateException(program.get(0) + " failed; it printed\n" + output);
    }
    return output;
  }
}
