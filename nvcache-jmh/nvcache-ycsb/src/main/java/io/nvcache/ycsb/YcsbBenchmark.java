// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.device.MediumChoice;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.ycsb.BenchmarkResult.StoreFacts;
import io.nvcache.ycsb.store.HFileStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Loads a store once and compares the policies on each workload.
 *
 * <p>All policies of a workload are alive at the same time and take short turns with the same
 * operations, in an order that rotates: a machine that grows slower or faster does so for all of
 * them, and what one round says is checked by the others.
 */
public final class YcsbBenchmark {
  /** The load was stopped, so there is nothing to report. */
  private static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
      super("the load was stopped", null, false, false);
    }
  }

  /**
   * What counts as the wait of a disk read: what the quickest tenth stays below. Longer ones have
   * often waited for a processor, or for what other programs did with the disk.
   */
  private static final double DISK_WAIT_PERCENTILE = 10;

  private static final double NANOS_PER_MICRO = 1e3;

  private final YcsbSettings settings;
  private final Progress progress;
  private final StopSignal stop;

  /**
   * A benchmark, not started.
   *
   * @param settings what to do
   * @param progress receives how far it is
   * @param stop ends it early
   */
  public YcsbBenchmark(YcsbSettings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** Runs everything; empty if it was stopped during the load. */
  public Optional<BenchmarkResult> run() throws IOException, InterruptedException {
    try (HFileStore store = load()) {
      StoreFacts facts = new StoreFacts(store.dataBytes(), store.fileCount(), store.directIo());
      List<WorkloadResult> results = new ArrayList<>();
      for (WorkloadChoice workload : settings.workloads()) {
        results.addAll(compare(workload, store));
      }
      return Optional.of(new BenchmarkResult(settings, facts, results, stop.isRequested()));
    } catch (StoppedException e) {
      return Optional.empty();
    }
  }

  private HFileStore load() throws IOException {
    long records = settings.data().records();
    try (Progress.Phase phase = progress.begin("load " + records + " records", records)) {
      return HFileStore.load(
          settings.directory(),
          settings.data(),
          null,
          loaded -> {
            if (stop.isRequested()) {
              throw new StoppedException();
            }
            phase.at(loaded, "");
          });
    }
  }

  /** The results on each medium; the lane without a second tier is the same for all of them. */
  private List<WorkloadResult> compare(WorkloadChoice workload, HFileStore loaded)
      throws IOException, InterruptedException {
    Map<MediumChoice, List<Lane>> lanes = new EnumMap<>(MediumChoice.class);
    try (Lanes all = new Lanes()) {
      Lane none = null;
      for (MediumChoice medium : settings.cache().media()) {
        List<Lane> ofMedium = new ArrayList<>();
        for (PolicyChoice policy : settings.policies()) {
          Lane lane = policy == PolicyChoice.NONE ? none : null;
          if (lane == null) {
            lane = all.add(Lane.open(settings, workload, policy, medium, loaded, stop));
          }
          none = policy == PolicyChoice.NONE ? lane : none;
          ofMedium.add(lane);
        }
        lanes.put(medium, ofMedium);
      }
      takeTurns(workload, all.list());
      return results(workload, lanes, all.list());
    }
  }

  private void takeTurns(WorkloadChoice workload, List<Lane> lanes)
      throws IOException, InterruptedException {
    int rounds = settings.run().rounds();
    try (Progress.Phase phase =
        progress.begin(
            "YCSB " + workload + ", " + lanes.size() + " policies in turn",
            (long) rounds * lanes.size())) {
      for (int round = 1; round <= rounds; round++) {
        for (int i = 0; i < lanes.size(); i++) {
          if (stop.isRequested()) {
            return;
          }
          // Another one begins each round, so that none always comes after the same one's rubbish.
          lanes.get((i + round) % lanes.size()).turn(round);
          phase.at((long) (round - 1) * lanes.size() + i + 1, "round " + round + " of " + rounds);
        }
      }
    }
  }

  private List<WorkloadResult> results(
      WorkloadChoice workload, Map<MediumChoice, List<Lane>> lanes, List<Lane> all) {
    Histogram diskWait = new Histogram(3);
    all.forEach(lane -> diskWait.add(lane.diskWaitNanos()));
    double diskWaitMicros =
        diskWait.getTotalCount() == 0
            ? 0
            : diskWait.getValueAtPercentile(DISK_WAIT_PERCENTILE) / NANOS_PER_MICRO;
    return lanes.entrySet().stream()
        .map(
            entry ->
                new WorkloadResult(
                    workload,
                    entry.getKey(),
                    diskWaitMicros,
                    entry.getValue().stream()
                        .flatMap(lane -> lane.result(stop.isRequested()).stream())
                        .toList()))
        .filter(result -> !result.policies().isEmpty())
        .toList();
  }

  /** Closes them all, whatever happens to one of them. */
  private static final class Lanes implements AutoCloseable {
    private final List<Lane> lanes = new ArrayList<>();

    Lane add(Lane lane) {
      lanes.add(lane);
      return lane;
    }

    List<Lane> list() {
      return List.copyOf(lanes);
    }

    @Override
    public void close() throws IOException {
      IOException failure = null;
      for (Lane lane : lanes) {
        try {
          lane.close();
        } catch (IOException e) {
          failure = e;
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }
}
