// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.bench.sample.FileTree;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.TableName;

/**
 * Runs the comparison. The table is written once; each engine's server gets a copy, so that all
 * read the same store files. Servers run one after the other.
 */
public final class ClientsBench {
  private static final int WARMING_PHASES = 2;
  private static final TableName TABLE = TableName.valueOf(LoadGenerators.TABLE);

  private final ClientsSettings settings;
  private final Progress progress;
  private final StopSignal stop;

  /** Prepares a comparison. */
  public ClientsBench(ClientsSettings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** Measures until done or stopped; an engine that was cut short is left out. */
  public Measurements run() throws IOException {
    HBaseServer.quietenClients();
    Path directory = Files.createTempDirectory(settings.directory(), "nvcache-clients-");
    Measurements measured = measurements();
    int steps = settings.engines().size();
    try (Progress.Phase phase = progress.begin("hbase-clients", steps + 1)) {
      Path data = write(directory.resolve("data"));
      int done = 1;
      for (ClientsEngine engine : settings.engines()) {
        phase.at(done++, engine.label());
        if (stop.isRequested()) {
          break;
        }
        measure(engine, data, directory.resolve(engine.label()), measured);
      }
      ClientsReport.addRatios(measured);
      return measured;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a server was measured");
    } finally {
      FileTree.delete(directory);
    }
  }

  private Measurements measurements() {
    ServerBase servers = settings.servers();
    Measurements run =
        new Measurements()
            .with("load", "uniform")
            .with("phase", "steady")
            .with("threads", settings.threads())
            .with("delay", servers.delay().toMillis());
    return servers.memoryBytes() > 0 ? run.with("memory", servers.memoryBytes()) : run;
  }

  /** Returns the directory with the table, of a server that is stopped. */
  private Path write(Path directory) throws IOException, InterruptedException {
    try (HBaseServer server = new HBaseServer(directory, setup(ClientsEngine.NONE, directory))) {
      server.start();
      new LoadGenerators(settings, server).write();
      server.connection().getAdmin().flush(TABLE);
      server.stop();
      return server.root();
    }
  }

  private ServerSetup setup(ClientsEngine engine, Path directory) {
    return new ServerSetup(
        engine.label(), engine.site(directory, settings.capacityBytes()), settings.servers());
  }

  private void measure(ClientsEngine engine, Path data, Path directory, Measurements out)
      throws IOException, InterruptedException {
    try (HBaseServer server = new HBaseServer(directory, setup(engine, directory))) {
      FileTree.copy(data, server.root());
      LoadGenerators generators = new LoadGenerators(settings, server);
      server.start();
      for (int i = 0; i < WARMING_PHASES; i++) {
        generators.read();
      }
      ServerCounts before = server.counts();
      LoadResult result = generators.read();
      add(result, server.counts().since(before), out.with("engine", engine.label()));
      generators.verify();
    }
    FileTree.delete(directory);
  }

  static void add(LoadResult result, ServerCounts counts, Measurements out) {
    result
        .micros()
        .forEach(
            (percentile, micros) ->
                out.with("operation", "read")
                    .with("percentile", percentile)
                    .add("latency", micros, "us"));
    out.add("reads_per_s", result.rowsPerSecond(), "1/s")
        .add("hit_ratio", counts.hitRatio(result.rows()), "ratio")
        .add("medium_bytes_written", counts.writtenBytes(), "bytes")
        .add("heap_bytes", counts.heapBytes(), "bytes")
        .add("gc_ms", counts.collectionMillis(), "ms");
  }
}
