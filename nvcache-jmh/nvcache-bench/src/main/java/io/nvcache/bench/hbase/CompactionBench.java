// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * What a major compaction costs those who read: hits and latency window by window, with each engine
 * with hot rows that are scattered and clustered. The engines have their turns in rounds, on the
 * same inputs and with the same reads.
 */
final class CompactionBench {
  private static final int INPUTS = 4;
  private static final int VALUE_BYTES = 1000;
  private static final int ROW_BYTES = VALUE_BYTES + 40;

  /**
   * Rounds before those that are measured, so that what is timed is compiled, as on a server that
   * has compacted before. A compaction carries one or two thousand blocks, and the compilers look
   * at what is called some ten thousand times: until then they take more than half of a processor
   * from those who read and from the thread that carries.
   */
  private static final int WARMING_ROUNDS = 10;

  /** Lookups for each block of the capacity before a compaction that is not measured. */
  private static final int FEW_READS_PER_BLOCK = 4;

  /** Until what enters the cache is what leaves it. */
  private static final int READS_PER_BLOCK = 40;

  /** The compaction with the median of hits lost is reported. */
  private static final int MEASURED_ROUNDS = 3;

  /** Without a choice of engines, these are compared: the others differ in their medium alone. */
  private static final List<HBaseEngine> DEFAULT =
      List.of(HBaseEngine.BUCKET_OFFHEAP, HBaseEngine.NVCACHE_NATIVE);

  private final HBaseBenchSettings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final StoreFiles files;
  private final int rowCount;
  private final List<Path> inputs = new ArrayList<>();
  private final AtomicLong wrongValues;

  CompactionBench(
      HBaseBenchSettings settings,
      Progress progress,
      StopSignal stop,
      java.nio.file.Path directory,
      AtomicLong wrongValues)
      throws IOException {
    this.wrongValues = wrongValues;
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
    this.files = new StoreFiles(directory, settings);
    this.rowCount =
        (int) (HBaseScenario.COMPACTION.dataBytes(settings.capacityBytes()) / ROW_BYTES);
  }

  /** Returns the input that has a row: each input's rows lie between the others'. */
  static int inputOf(int row) {
    return (int) ((row * 0x9e3779b97f4a7c15L) >>> 33) % INPUTS;
  }

  /** Measures, unless it is stopped on the way. */
  void run(Measurements out) throws IOException {
    Map<CompactionContender, List<Measurements>> measured = new LinkedHashMap<>();
    contenders().forEach(contender -> measured.put(contender, new ArrayList<>()));
    int rounds = WARMING_ROUNDS + MEASURED_ROUNDS;
    int steps = INPUTS + rounds * measured.size();
    try (Progress.Phase phase = progress.begin(HBaseScenario.COMPACTION.label(), steps)) {
      int step = 0;
      for (int input = 0; input < INPUTS; input++) {
        inputs.add(write(input));
        phase.at(++step, "input " + input);
      }
      for (int round = 0; round < rounds; round++) {
        for (Map.Entry<CompactionContender, List<Measurements>> each : measured.entrySet()) {
          if (stop.isRequested()) {
            return;
          }
          if (round < WARMING_ROUNDS) {
            warm(each.getKey());
          } else {
            each.getValue().add(measure(each.getKey()));
          }
          phase.at(++step, each.getKey().engine().label());
        }
      }
      measured.values().forEach(each -> report(each, out));
    } finally {
      for (Path input : inputs) {
        files.delete(input);
      }
    }
  }

  private List<CompactionContender> contenders() {
    boolean all = settings.engines().size() == HBaseEngine.values().length;
    List<CompactionContender> contenders = new ArrayList<>();
    for (KeyOrder keys : KeyOrder.values()) {
      for (HBaseEngine engine : all ? DEFAULT : settings.engines()) {
        contenders.add(new CompactionContender(engine, keys, false));
        if (engine.isNvCache()) {
          contenders.add(new CompactionContender(engine, keys, true));
        }
      }
    }
    return contenders;
  }

  private void warm(CompactionContender contender) throws IOException {
    try (CompactionLane lane = lane(contender)) {
      lane.warm(FEW_READS_PER_BLOCK);
      lane.run();
    }
  }

  private Measurements measure(CompactionContender contender) throws IOException {
    try (CompactionLane lane = lane(contender)) {
      lane.warm(READS_PER_BLOCK);
      files.delayReads(true);
      lane.run();
      Measurements round = new Measurements();
      lane.report(round);
      return round;
    } finally {
      files.delayReads(false);
    }
  }

  private static void report(List<Measurements> rounds, Measurements out) {
    Measurements median =
        rounds.stream()
            .sorted(Comparator.comparingDouble(each -> each.value("compaction_hits_lost")))
            .skip(rounds.size() / 2)
            .findFirst()
            .orElseThrow();
    median
        .records()
        .forEach(each -> out.with(each.labels()).add(each.metric(), each.value(), each.unit()));
  }

  private CompactionLane lane(CompactionContender contender) throws IOException {
    return new CompactionLane(contender, files, inputs, rowCount, settings, wrongValues);
  }

  private Path write(int input) throws IOException {
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
