// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * What a major compaction costs those who read: hits and latency window by window, for each engine
 * with hot rows that are scattered and clustered. The engines have their turns one after the other,
 * on the same inputs and with the same reads.
 */
final class CompactionBench {
  private static final int INPUTS = 4;
  private static final int VALUE_BYTES = 1000;
  private static final int ROW_BYTES = VALUE_BYTES + 40;

  /** Without a choice of engines, these are compared: the others differ in their medium alone. */
  private static final List<HBaseEngine> DEFAULT =
      List.of(HBaseEngine.BUCKET_OFFHEAP, HBaseEngine.NVCACHE_NATIVE);

  private final HBaseBenchSettings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final java.nio.file.Path directory;
  private final int rowCount;
  private final List<CompactionWindow> windows = new ArrayList<>();
  private final List<CompactionCost> costs = new ArrayList<>();
  private final List<CarriedChoice> choices = new ArrayList<>();

  CompactionBench(
      HBaseBenchSettings settings,
      Progress progress,
      StopSignal stop,
      java.nio.file.Path directory) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
    this.directory = directory;
    this.rowCount =
        (int) (HBaseScenario.COMPACTION.dataBytes(settings.capacityBytes()) / ROW_BYTES);
  }

  /** One engine, with the heat of compactions or without. */
  private record Contender(HBaseEngine engine, boolean heat) {}

  /** Returns the input that has a row: each input's rows lie between those of the others. */
  static int inputOf(int row) {
    return (int) ((row * 0x9e3779b97f4a7c15L) >>> 33) % INPUTS;
  }

  List<CompactionWindow> windows() {
    return windows;
  }

  List<CompactionCost> costs() {
    return costs;
  }

  List<CarriedChoice> choices() {
    return choices;
  }

  void run() throws IOException {
    StoreFiles files = new StoreFiles(directory, settings);
    List<Contender> contenders = contenders();
    List<Path> inputs = new ArrayList<>();
    int steps = INPUTS + KeyOrder.values().length * contenders.size();
    try (Progress.Phase phase = progress.begin(HBaseScenario.COMPACTION.label(), steps)) {
      int step = 0;
      for (int input = 0; input < INPUTS; input++) {
        inputs.add(write(files, input));
        phase.at(++step, "input " + input);
      }
      for (KeyOrder keys : KeyOrder.values()) {
        for (Contender contender : contenders) {
          if (stop.isRequested()) {
            return;
          }
          run(contender, keys, files, inputs);
          phase.at(++step, contender.engine().label());
        }
      }
    } finally {
      for (Path input : inputs) {
        files.delete(input);
      }
    }
  }

  private List<Contender> contenders() {
    boolean all = settings.engines().size() == HBaseEngine.values().length;
    List<Contender> contenders = new ArrayList<>();
    for (HBaseEngine engine : all ? DEFAULT : settings.engines()) {
      contenders.add(new Contender(engine, false));
      if (engine.isNvCache()) {
        contenders.add(new Contender(engine, true));
      }
    }
    return contenders;
  }

  private void run(Contender contender, KeyOrder keys, StoreFiles files, List<Path> inputs)
      throws IOException {
    // So that what is timed is compiled, as on a server that has compacted before.
    try (CompactionLane lane = lane(contender, keys, files, inputs)) {
      lane.warm();
      files.delayReads(true);
      lane.run();
      files.delayReads(false);
      lane.warm();
    } finally {
      files.delayReads(false);
    }
    try (CompactionLane lane = lane(contender, keys, files, inputs)) {
      lane.warm();
      files.delayReads(true);
      lane.run();
      windows.addAll(lane.windows());
      costs.add(lane.cost());
    } finally {
      files.delayReads(false);
    }
    if (contender.heat()) {
      try (CompactionLane lane = lane(contender, keys, files, inputs)) {
        lane.warm();
        choices.add(lane.choose());
      }
    }
  }

  private CompactionLane lane(
      Contender contender, KeyOrder keys, StoreFiles files, List<Path> inputs) throws IOException {
    return new CompactionLane(
        contender.engine(), keys, contender.heat(), files, inputs, rowCount, settings);
  }

  private Path write(StoreFiles files, int input) throws IOException {
    Path path = files.newPath();
    try (HFile.Writer writer = files.create(path, CacheConfig.DISABLED)) {
      SplittableRandom random = new SplittableRandom(input);
      byte[] value = new byte[VALUE_BYTES];
      for (int row = 0; row < rowCount; row++) {
        if (inputOf(row) == input) {
          random.nextBytes(value);
          ByteBuffer.wrap(value).putInt(row);
          writer.append(StoreFiles.cell(row, value));
        }
      }
    }
    return path;
  }
}
