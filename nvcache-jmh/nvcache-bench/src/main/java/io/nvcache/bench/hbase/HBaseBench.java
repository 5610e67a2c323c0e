// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.llpl.LlplUnavailableException;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;

/**
 * Runs the comparison. In each scenario all engines are warmed up and then read in turns of some
 * thousand reads, another one first in each round, so that whatever slows the machine down slows
 * them all; figures are medians over the rounds, ratios are taken within a round.
 */
public final class HBaseBench {
  private final HBaseBenchSettings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final List<String> notes = new ArrayList<>();

  /** Of all reads, also of those that warm up and of those that no figure is taken from. */
  private final AtomicLong wrongValues = new AtomicLong();

  public HBaseBench(HBaseBenchSettings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** Measures until done or stopped; a scenario that was cut short is left out. */
  public Measurements run() throws IOException {
    // HBase's detector of unreleased blocks samples, and takes what a closed BucketCache held for
    // leaks.
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    Path directory = Files.createTempDirectory(settings.storeDirectory(), "nvcache-hbase-");
    Measurements measured = new Measurements();
    try {
      for (HBaseScenario scenario : settings.scenarios()) {
        if (stop.isRequested()) {
          break;
        }
        run(
            scenario,
            directory,
            measured
                .with("scenario", scenario.label())
                .with("block", settings.blockBytes())
                .with("delay", settings.delay().toMillis()));
      }
    } finally {
      Files.deleteIfExists(directory);
    }
    return measured;
  }

  /** Returns how many reads gave something else than was written, of all that there were. */
  public long wrongValues() {
    return wrongValues.get();
  }

  /** Returns what did not run, and why. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  private void run(HBaseScenario scenario, Path directory, Measurements out) throws IOException {
    switch (scenario) {
      case COMPACTION ->
          new CompactionBench(settings, progress, stop, directory, wrongValues).run(out);
      case REOPEN, PREFETCH ->
          new PrefetchBench(scenario, settings, progress, stop, directory).run(out);
      default -> {
        Measurements turns = out.with("threads", settings.threads());
        long memory = settings.memoryBytes();
        takeTurns(scenario, directory, memory > 0 ? turns.with("memory", memory) : turns);
      }
    }
  }

  private void takeTurns(HBaseScenario scenario, Path directory, Measurements out)
      throws IOException {
    StoreFiles files = new StoreFiles(directory, settings);
    List<org.apache.hadoop.fs.Path> data = List.of();
    List<org.apache.hadoop.fs.Path> cold = List.of();
    List<LaneSamples> lanes = new ArrayList<>();
    int steps = settings.engines().size() * (settings.rounds() + 1);
    try (Progress.Phase phase = progress.begin(scenario.label(), steps);
        MemoryGroup memory = MemoryGroup.make(settings.memoryBytes())) {
      data = files.write(scenario.dataBytes(settings.capacityBytes()), 0);
      long coldBytes = scenario.coldBytes(settings.capacityBytes());
      cold = coldBytes == 0 ? List.of() : files.write(coldBytes, data.size());
      for (HBaseEngine engine : settings.engines()) {
        open(engine, files, data, scenario, lanes);
      }
      memory.add(ProcessHandle.current().pid());
      int step = 0;
      for (LaneSamples lane : lanes) {
        lane.lane().read(settings.warmingReads());
        phase.at(++step, lane.lane().engine().label());
      }
      files.delayReads(true);
      for (int round = 0; round < settings.rounds(); round++) {
        for (int turn = 0; turn < lanes.size(); turn++) {
          if (stop.isRequested()) {
            return;
          }
          LaneSamples lane = lanes.get((round + turn) % lanes.size());
          lane.measure(scenario, settings, cold);
          phase.at(++step, lane.lane().engine().label());
        }
      }
      lanes.forEach(lane -> lane.report(scenario, lanes, out));
    } finally {
      files.delayReads(false);
      for (LaneSamples lane : lanes) {
        wrongValues.addAndGet(lane.lane().wrongValues());
        lane.lane().close();
      }
      for (org.apache.hadoop.fs.Path path : data) {
        files.delete(path);
      }
      for (org.apache.hadoop.fs.Path path : cold) {
        files.delete(path);
      }
    }
  }

  private void open(
      HBaseEngine engine,
      StoreFiles files,
      List<org.apache.hadoop.fs.Path> data,
      HBaseScenario scenario,
      List<LaneSamples> lanes)
      throws IOException {
    try {
      lanes.add(new LaneSamples(new BenchLane(engine, files, data, scenario, settings)));
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof LlplUnavailableException)) {
        throw e;
      }
      String note = engine.label() + " did not run: " + e.getMessage();
      if (!notes.contains(note)) {
        notes.add(note);
      }
    }
  }
}
