// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.BlockCache;
import io.nvcache.ycsb.store.HFileStore;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;

/**
 * One policy on one workload, once: the store as it was after the load, a new cache, a warm-up and
 * a measured part. Used once, by one thread.
 */
final class YcsbRun {
  private static final long LONGEST_SAMPLE_NANOS = 1_000_000_000;
  private static final long SHORTEST_SAMPLE_NANOS = 100_000_000;
  private static final int SAMPLES_OF_SHORT_RUN = 20;

  /** Steps that {@link Progress} is given for a run. */
  static final int PROGRESS_STEPS = 100;

  private final YcsbSettings settings;
  private final RunSettings run;
  private final HFileStore store;
  private final StopSignal stop;
  private final Progress.Phase progress;

  YcsbRun(YcsbSettings settings, HFileStore store, StopSignal stop, Progress.Phase progress) {
    this.settings = settings;
    this.run = settings.run();
    this.store = store;
    this.stop = stop;
    this.progress = progress;
  }

  /** Runs; empty if it was stopped before anything was measured. */
  Optional<RunResult> run(WorkloadChoice workload, PolicyChoice policy, int round)
      throws IOException, InterruptedException {
    store.reset();
    try (BlockCache cache = newCache(policy)) {
      store.secondTier(cache);
      try {
        return drive(workload, policy, round, cache);
      } finally {
        store.secondTier(null);
      }
    }
  }

  private @Nullable BlockCache newCache(PolicyChoice policy) throws IOException {
    return policy == PolicyChoice.NONE
        ? null
        : settings.cache().build(policy, settings.data().blockBytes());
  }

  private Optional<RunResult> drive(
      WorkloadChoice choice, PolicyChoice policy, int round, @Nullable BlockCache cache)
      throws IOException, InterruptedException {
    SeededWorkload workload = newWorkload(choice);
    long wrongBefore = store.wrongValues();
    try (ClientGroup clients = new ClientGroup(run, workload, store, stop)) {
      long start = System.nanoTime();
      Sampler sampler = new Sampler(start, count(clients, cache), sampleNanos());
      Runnable tick = () -> tick(sampler, clients, cache, start);

      if (run.hasWarmUp()) {
        clients.run(run.warmUpDuration(), run.warmUpOperations(), tick);
      }
      clients.forgetLatencies();
      long measuredFrom = System.nanoTime();
      Counters before = count(clients, cache);
      clients.run(
          run.duration().minus(run.warmUpDuration()),
          run.operations() - run.warmUpOperations(),
          tick);
      long end = System.nanoTime();
      Counters after = count(clients, cache);
      sampler.sample(end, after);
      if (!stop.isRequested()) {
        progress.at(PROGRESS_STEPS, "");
      }

      Counters measured = after.since(before);
      if (measured.operations() == 0) {
        return Optional.empty();
      }
      // Both the client and the store check what comes back; either may see what the other misses.
      long wrong = Math.max(workload.wrongReads(), store.wrongValues() - wrongBefore);
      return Optional.of(
          new RunResult(
              policy,
              round,
              seconds(start, measuredFrom),
              seconds(measuredFrom, end),
              measured,
              clients.latencies(),
              sampler.samples(),
              workload.verifiedReads(),
              wrong,
              clients.failures(),
              stop.isRequested()));
    }
  }

  private SeededWorkload newWorkload(WorkloadChoice choice) throws IOException {
    try {
      return SeededWorkload.create(settings, choice);
    } catch (WorkloadException e) {
      throw new IOException("YCSB refuses workload " + choice + ": " + e.getMessage(), e);
    }
  }

  private void tick(
      Sampler sampler, ClientGroup clients, @Nullable BlockCache cache, long startNanos) {
    long now = System.nanoTime();
    if (sampler.isDue(now)) {
      sampler.sample(now, count(clients, cache));
    }
    double timeShare =
        run.duration().isZero() ? 0 : (double) (now - startNanos) / run.duration().toNanos();
    double operationShare =
        run.operations() == 0 ? 0 : (double) clients.operations() / run.operations();
    double share = Math.min(1, Math.max(timeShare, operationShare));
    double throughput = clients.operations() / seconds(startNanos, now);
    progress.at((long) (share * PROGRESS_STEPS), Math.round(throughput) + " ops/s");
  }

  private Counters count(ClientGroup clients, @Nullable BlockCache cache) {
    return Counters.of(clients.operations(), store, cache == null ? null : cache.stats());
  }

  private long sampleNanos() {
    long spread = run.duration().toNanos() / SAMPLES_OF_SHORT_RUN;
    return run.duration().isZero()
        ? LONGEST_SAMPLE_NANOS
        : Math.max(SHORTEST_SAMPLE_NANOS, Math.min(LONGEST_SAMPLE_NANOS, spread));
  }

  private static double seconds(long fromNanos, long toNanos) {
    return (toNanos - fromNanos) / 1e9;
  }
}
