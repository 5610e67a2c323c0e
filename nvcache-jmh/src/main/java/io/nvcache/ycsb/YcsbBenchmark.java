// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.ycsb.store.HFileStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loads a store once and runs each workload with each policy on it, one run at a time.
 *
 * <p>Rounds alternate their order, so that a machine that grows slower or faster meanwhile doesn't
 * favour the policies at one end.
 */
public final class YcsbBenchmark {
  /** The load was stopped, so there is nothing to report. */
  private static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
      super("the load was stopped", null, false, false);
    }
  }

  private final YcsbSettings settings;
  private final Progress progress;
  private final StopSignal stop;

  /**
   * A benchmark, not started.
   *
   * @param settings what to do
   * @param progress is told how far it is
   * @param stop ends it early
   */
  public YcsbBenchmark(YcsbSettings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** Runs everything; empty if it was stopped during the load. */
  public Optional<BenchmarkResult> run() throws IOException, InterruptedException {
    try (WorkDirectory directory = WorkDirectory.createIn(settings.directory());
        HFileStore store = load(directory)) {
      StoreFacts facts = new StoreFacts(store.dataBytes(), store.fileCount(), store.directIo());
      List<WorkloadResult> results = new ArrayList<>();
      for (WorkloadChoice workload : settings.workloads()) {
        List<PolicyResult> policies = runPolicies(workload, store);
        if (!policies.isEmpty()) {
          results.add(new WorkloadResult(workload, policies));
        }
      }
      return Optional.of(new BenchmarkResult(settings, facts, results, stop.isRequested()));
    } catch (StoppedException e) {
      return Optional.empty();
    }
  }

  private HFileStore load(WorkDirectory directory) throws IOException {
    long records = settings.data().records();
    try (Progress.Phase phase = progress.begin("load " + records + " records", records)) {
      return HFileStore.load(
          settings.data().storeOptions(directory.path()),
          null,
          loaded -> {
            if (stop.isRequested()) {
              throw new StoppedException();
            }
            phase.at(loaded, "");
          });
    }
  }

  private List<PolicyResult> runPolicies(WorkloadChoice workload, HFileStore store)
      throws IOException, InterruptedException {
    warmJvmUp(workload, store);
    Map<PolicyChoice, List<RunResult>> runs = new EnumMap<>(PolicyChoice.class);
    for (int round = 1; round <= settings.run().rounds(); round++) {
      for (PolicyChoice policy : order(round)) {
        if (!stop.isRequested()) {
          runOnce(workload, policy, round, store)
              .ifPresent(run -> runs.computeIfAbsent(policy, none -> new ArrayList<>()).add(run));
        }
      }
    }
    List<PolicyResult> results = new ArrayList<>();
    for (PolicyChoice policy : settings.policies()) {
      List<RunResult> done = runs.getOrDefault(policy, List.of());
      if (!done.isEmpty()) {
        results.add(new PolicyResult(policy, done));
      }
    }
    return results;
  }

  /** Compiles the code that all policies share, at the expense of none of them. */
  private void warmJvmUp(WorkloadChoice workload, HFileStore store)
      throws IOException, InterruptedException {
    if (!settings.run().hasWarmUp() || stop.isRequested()) {
      return;
    }
    PolicyChoice policy = settings.policies().get(settings.policies().size() - 1);
    YcsbSettings brief = settings.with(settings.run().warmUpOnly());
    Optional<RunResult> run;
    try (Progress.Phase phase =
        progress.begin("YCSB " + workload + ", JVM warm-up", YcsbRun.PROGRESS_STEPS)) {
      run = new YcsbRun(brief, store, stop, phase).run(workload, policy, 1);
    }
    if (run.isPresent() && (run.get().wrongValues() > 0 || run.get().failedOperations() > 0)) {
      throw new IOException(
          "the warm-up saw %d wrong values and %d failed operations"
              .formatted(run.get().wrongValues(), run.get().failedOperations()));
    }
  }

  private List<PolicyChoice> order(int round) {
    List<PolicyChoice> order = new ArrayList<>(settings.policies());
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    return order;
  }

  private Optional<RunResult> runOnce(
      WorkloadChoice workload, PolicyChoice policy, int round, HFileStore store)
      throws IOException, InterruptedException {
    String name = "YCSB " + workload + ", " + policy.label();
    if (settings.run().rounds() > 1) {
      name += ", round " + round;
    }
    try (Progress.Phase phase = progress.begin(name, YcsbRun.PROGRESS_STEPS)) {
      return new YcsbRun(settings, store, stop, phase).run(workload, policy, round);
    }
  }
}
