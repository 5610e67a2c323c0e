// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the comparison. The table is written once; each engine's server gets a copy, so that all
 * read the same store files. Servers run one after the other.
 */
public final class ClientsBench {
  private static final Logger LOG = LoggerFactory.getLogger(ClientsBench.class);
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
  public List<PhaseFigures> run() throws IOException {
    HBaseServer.quietenClients();
    Path directory = Files.createTempDirectory(settings.directory(), "nvcache-clients-");
    List<PhaseFigures> figures = new ArrayList<>();
    int steps = settings.engines().size();
    try (Progress.Phase phase = progress.begin("hbase-clients", steps + 1)) {
      Path data = write(directory.resolve("data"));
      int done = 1;
      for (ClientsEngine engine : settings.engines()) {
        phase.at(done++, engine.label());
        if (stop.isRequested()) {
          break;
        }
        figures.addAll(measure(engine, data, directory.resolve(engine.label())));
      }
      return figures;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a server was measured");
    } finally {
      DataDirectory.delete(directory);
    }
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

  private List<PhaseFigures> measure(ClientsEngine engine, Path data, Path directory)
      throws IOException, InterruptedException {
    List<PhaseFigures> figures = new ArrayList<>();
    try (HBaseServer server = new HBaseServer(directory, setup(engine, directory))) {
      DataDirectory.copy(data, server.root());
      LoadGenerators generators = new LoadGenerators(settings, server);
      server.start();
      for (ClientsLoad load : settings.loads()) {
        for (int i = 0; i < WARMING_PHASES; i++) {
          generators.read(load);
        }
        for (ClientsPhase phase : settings.phases()) {
          figures.add(measure(engine, load, phase, server, generators));
          server.awaitCompactions(TABLE);
        }
      }
      generators.verify();
    }
    DataDirectory.delete(directory);
    return figures;
  }

  /** Begins a phase, and returns the counts of its beginning. */
  private static ServerCounts begin(ClientsPhase phase, HBaseServer server)
      throws IOException, InterruptedException {
    if (phase == ClientsPhase.RESTARTED) {
      server.stop();
      server.start();
    }
    ServerCounts before = server.counts();
    if (phase == ClientsPhase.COMPACTING) { // After the counts, for which seconds are waited.
      server.connection().getAdmin().majorCompact(TABLE);
    }
    return before;
  }

  private PhaseFigures measure(
      ClientsEngine engine,
      ClientsLoad load,
      ClientsPhase phase,
      HBaseServer server,
      LoadGenerators generators)
      throws IOException, InterruptedException {
    ServerCounts before = begin(phase, server);
    LoadResult result = generators.read(load);
    if (phase == ClientsPhase.COMPACTING && !server.isCompacting(TABLE)) {
      LOG.warn(
          "{}, {}: the compaction ended before the reads did; more rows make it longer",
          engine.label(),
          load.label());
    }
    ServerCounts counts = server.counts().since(before);
    return new PhaseFigures(
        engine,
        load,
        phase,
        result.rowsPerSecond(),
        result.micros(),
        result.servedP99Micros(),
        counts.hitRatio(result.rows()),
        counts.writtenBytes(),
        counts.heapBytes(),
        counts.collectionMillis());
  }
}
