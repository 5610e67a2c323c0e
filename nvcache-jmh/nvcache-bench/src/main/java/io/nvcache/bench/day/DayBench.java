// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.bench.clients.HBaseServer;
import io.nvcache.bench.sample.FileTree;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the day. The servers of all engines are up all the time and are read in turns, phase by
 * phase, so that what else the machine does hits all alike.
 */
public final class DayBench {
  private static final Logger LOG = LoggerFactory.getLogger(DayBench.class);

  /** Turns of each engine in which its cache fills. */
  private static final int WARMING_TURNS = 2;

  /** Turns after which a compaction that has not ended is no longer read through. */
  private static final int MOST_COMPACTING_TURNS = 4;

  private final DaySettings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final List<DaySample> samples = new ArrayList<>();
  private final Measurements facts = new Measurements();
  private @Nullable Exception failure;

  /** Prepares a day. */
  public DayBench(DaySettings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** Measures until the day is over, or a stop is asked for. */
  public DayFigures run() throws IOException {
    HBaseServer.quietenClients();
    Path directory = Files.createTempDirectory(settings.directory(), "nvcache-day-");
    List<Lane> lanes = new ArrayList<>();
    try (Progress.Phase shown = progress.begin("hbase-day", DayPhase.values().length + 2)) {
      Path data = DayTable.write(directory.resolve("data"), settings);
      for (DayEngine engine : settings.engines()) {
        shown.at(0, engine.label());
        DayServer server = new DayServer(directory.resolve(engine.label()), engine, settings);
        lanes.add(new Lane(server, new DayClient(server, settings)));
        FileTree.copy(data, server.root());
        server.start();
      }
      liveAll(lanes, shown);
      closeAll(lanes);
      pullAVolume(data, directory.resolve("volumes"), shown);
      return new DayFigures(samples, facts.records());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a server was measured");
    } finally {
      closeAll(lanes);
      FileTree.delete(directory);
    }
  }

  private static void closeAll(List<Lane> lanes) throws IOException {
    for (Lane lane : lanes) {
      lane.server.close();
    }
    lanes.clear();
  }

  /** Of NVCache alone: what BucketCache does without a volume is in its log, not in hits. */
  private void pullAVolume(Path data, Path directory, Progress.Phase shown)
      throws InterruptedException {
    if (failure != null
        || stop.isRequested()
        || !settings.engines().contains(DayEngine.NVCACHE_FLASH)) {
      return;
    }
    shown.at(DayPhase.values().length + 1, "volumes");
    try {
      new DayVolumes(settings, directory).pull(data, facts);
    } catch (IOException | IllegalStateException e) {
      failure = e;
    }
  }

  /** A server and its client. */
  private record Lane(DayServer server, DayClient client) {}

  /** Lives the day; what is measured before a failure is kept. */
  private void liveAll(List<Lane> lanes, Progress.Phase shown) throws InterruptedException {
    try {
      int begun = 0;
      for (DayPhase phase : DayPhase.values()) {
        shown.at(++begun, phase.label());
        live(phase, lanes);
      }
      for (Lane lane : lanes) {
        addCounts(lane);
      }
    } catch (IOException | IllegalStateException e) {
      failure = e;
    }
  }

  /** Returns why the day that was run ended early, if it did. */
  public Optional<Exception> failure() {
    return Optional.ofNullable(failure);
  }

  private void live(DayPhase phase, List<Lane> lanes) throws IOException, InterruptedException {
    switch (phase) {
      case WARMING -> {
        for (int i = 0; i < WARMING_TURNS; i++) {
          read(phase, lanes);
        }
      }
      case STEADY, SCANNING -> read(phase, lanes);
      default -> {
        for (Lane lane : lanes) {
          if (!stop.isRequested()) {
            live(phase, lane);
          }
        }
      }
    }
    Collections.rotate(lanes, 1);
  }

  private void read(DayPhase phase, List<Lane> lanes) throws IOException, InterruptedException {
    for (Lane lane : lanes) {
      if (!stop.isRequested()) {
        read(phase, lane);
      }
    }
  }

  private void read(DayPhase phase, Lane lane) throws IOException, InterruptedException {
    List<DaySample> turn = turn(phase, lane);
    samples.addAll(turn);
    if (LOG.isInfoEnabled()) {
      DaySample all = DaySample.sum(turn);
      LOG.info(
          "{}, {}: {} reads/s, {} hits",
          phase.label(),
          all.engine().label(),
          Figures.count(all.readsPerSecond()),
          Figures.percent(all.hitRatio()));
    }
  }

  private static List<DaySample> turn(DayPhase phase, Lane lane)
      throws IOException, InterruptedException {
    try {
      return lane.client.turn(phase);
    } catch (IOException e) {
      if (lane.server.isAlive()) {
        throw e;
      }
      throw new IOException(
          "the server with "
              + lane.server.engine().label()
              + " has ended; the system kills one that needs more than --memory",
          e);
    }
  }

  private void live(DayPhase phase, Lane lane) throws IOException, InterruptedException {
    if (phase == DayPhase.MOVED) { // Right after a steady turn.
      move(lane.server);
      read(phase, lane);
      return;
    }
    read(DayPhase.STEADY, lane);
    if (phase == DayPhase.COMPACTING) {
      compact(lane);
    } else {
      restart(phase, lane.server);
      read(phase, lane);
    }
  }

  private void move(DayServer server) throws IOException, InterruptedException {
    addCachedBlocks("cached_blocks_before", DayPhase.MOVED, server);
    long begin = System.nanoTime();
    server.closeAndOpenARegion();
    add("move_s", server, DayPhase.MOVED.label(), secondsSince(begin), "s");
    addCachedBlocks("cached_blocks_after", DayPhase.MOVED, server);
  }

  private static double secondsSince(long begin) {
    return (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private void restart(DayPhase phase, DayServer server) throws IOException, InterruptedException {
    addCachedBlocks("cached_blocks_before", phase, server);
    addFailedInserts(phase.label(), server);
    long begin = System.nanoTime();
    if (phase == DayPhase.KILLED) {
      server.kill();
    } else {
      server.stop();
    }
    boolean warm = server.startAgain();
    add("restart_s", server, phase.label(), secondsSince(begin), "s");
    add("started_warm", server, phase.label(), warm ? 1 : 0, "starts");
    addCachedBlocks("cached_blocks_after", phase, server);
  }

  private void addCachedBlocks(String metric, DayPhase phase, DayServer server)
      throws IOException, InterruptedException {
    if (server.engine() != DayEngine.NONE) {
      add(metric, server, phase.label(), (double) server.metric("l2CacheCount"), "blocks");
    }
  }

  /**
   * Adds a figure of an engine that is not one of its reads.
   *
   * @param phase that it belongs to, or {@code end}
   */
  private void add(String metric, DayServer server, String phase, double value, String unit) {
    LOG.info("{} of {}, {}: {} {}", metric, server.engine().label(), phase, value, unit);
    facts.with("engine", server.engine().label()).with("phase", phase).add(metric, value, unit);
  }

  /** What BucketCache drops because its queues are full; for NVCache, what found no room. */
  private void addFailedInserts(String until, DayServer server)
      throws IOException, InterruptedException {
    long count = server.metric("blockCacheFailedInsertionCount");
    add("failed_inserts", server, until, (double) count, "blocks");
  }

  /**
   * Reads until the compaction has ended, and for a turn more: only then has each reader missed
   * what the compaction took away.
   */
  private void compact(Lane lane) throws IOException, InterruptedException {
    lane.server.beginMajorCompaction();
    int turns = 0;
    do {
      read(DayPhase.COMPACTING, lane);
    } while (lane.server.isCompacting() && ++turns < MOST_COMPACTING_TURNS);
    if (lane.server.isCompacting()) {
      LOG.warn(
          "{}: the compaction took longer than {} turns; longer turns would show its end",
          lane.server.engine().label(),
          MOST_COMPACTING_TURNS);
    }
    lane.server.awaitCompactions();
    read(DayPhase.COMPACTING, lane);
  }

  private void addCounts(Lane lane) throws IOException, InterruptedException {
    addFailedInserts("end", lane.server);
    add("wrong_reads", lane.server, "end", (double) lane.client.wrongReads(), "reads");
    add("failed_reads", lane.server, "end", (double) lane.client.failedReads(), "reads");
    add("failed_writes", lane.server, "end", (double) lane.client.failedWrites(), "writes");
  }
}
