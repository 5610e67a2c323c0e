// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.BlockCache;
import io.nvcache.device.EmulatedNvramMedium;
import io.nvcache.device.MediumChoice;
import io.nvcache.medium.Medium;
import io.nvcache.progress.StopSignal;
import io.nvcache.ycsb.PolicyResult.Sample;
import io.nvcache.ycsb.store.HFileStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;

/**
 * One policy on one workload, with its own store, caches and clients, which do their operations in
 * turns and keep their state in between. Used by one thread.
 */
public final class Lane implements AutoCloseable {
  private static final double NANOS_PER_SECOND = 1e9;

  private final RunSettings run;
  private final PolicyChoice policy;
  private final @Nullable Medium medium;
  private final @Nullable BlockCache cache;
  private final HFileStore store;
  private final SeededWorkload workload;
  private final ClientThreads clients;
  private final List<Turn> turns = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final Counters start;
  private double seconds;
  private double warmUpSeconds;

  private Lane(
      YcsbSettings settings,
      PolicyChoice policy,
      @Nullable Medium medium,
      @Nullable BlockCache cache,
      HFileStore store,
      SeededWorkload workload,
      StopSignal stop)
      throws IOException {
    this.run = settings.run();
    this.policy = policy;
    this.medium = medium;
    this.cache = cache;
    this.store = store;
    this.workload = workload;
    this.clients = new ClientThreads(run, workload, store, stop);
    this.start = count();
  }

  /**
   * Opens a lane at the state right after the load, with empty caches.
   *
   * @param loaded a store that only holds what was loaded
   * @param choice what the second tier is on, if the policy has one
   */
  static Lane open(
      YcsbSettings settings,
      WorkloadChoice workload,
      PolicyChoice policy,
      MediumChoice choice,
      HFileStore loaded,
      StopSignal stop)
      throws IOException {
    Medium medium = null;
    BlockCache cache = null;
    if (policy != PolicyChoice.NONE) {
      medium = settings.cache().open(policy, choice);
      String name = "ycsb-" + policy.label() + "-" + choice.label();
      cache = settings.cache().build(policy, medium, settings.data().blockBytes(), name);
    }
    HFileStore store = null;
    try {
      store = loaded.fork(cache);
      return new Lane(
          settings, policy, medium, cache, store, newWorkload(settings, workload), stop);
    } catch (IOException | RuntimeException e) {
      if (store != null) {
        store.close();
      }
      if (cache != null) {
        cache.close();
      }
      throw e;
    }
  }

  private static SeededWorkload newWorkload(YcsbSettings settings, WorkloadChoice choice)
      throws IOException {
    try {
      return SeededWorkload.create(settings, choice);
    } catch (WorkloadException e) {
      throw new IOException("YCSB refuses workload " + choice + ": " + e.getMessage(), e);
    }
  }

  /** Does the operations of a round. */
  void turn(int round) throws IOException, InterruptedException {
    boolean measured = round > run.warmUpRounds();
    if (round == run.warmUpRounds() + 1) {
      clients.forgetLatencies();
      warmUpSeconds = seconds;
    }
    Counters before = count();
    double mediumBefore = mediumSeconds();
    double emulationBefore = emulationSeconds();
    ProcessorTime processorBefore = ProcessorTime.now();
    long startNanos = System.nanoTime();
    clients.run(run.turnDuration(), run.turnOperations());
    // What writes have begun is theirs to pay for, and must not continue in the turns of others.
    store.settle();
    double elapsed = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    double processor =
        ProcessorTime.now().secondsSince(processorBefore) - (emulationSeconds() - emulationBefore);
    Counters now = count();
    Counters done = now.since(before);
    seconds += elapsed;
    if (done.operations() == 0) {
      return;
    }
    samples.add(
        new Sample(
            seconds,
            done.operations() / elapsed,
            done.hitRatio(),
            now.since(start).writesPerLookup()));
    if (measured) {
      turns.add(new Turn(round, elapsed, done, processor, mediumSeconds() - mediumBefore));
    }
  }

  private Counters count() {
    return Counters.of(clients.operations(), store, cache);
  }

  private double mediumSeconds() {
    return medium instanceof EmulatedNvramMedium emulated
        ? emulated.deviceNanos() / NANOS_PER_SECOND
        : 0;
  }

  private double emulationSeconds() {
    return medium instanceof EmulatedNvramMedium emulated
        ? emulated.processorNanos() / NANOS_PER_SECOND
        : 0;
  }

  long operations() {
    return clients.operations();
  }

  /** How long reads of the disk waited for it, in nanoseconds. */
  Histogram diskWaitNanos() {
    return store.diskWaitNanos();
  }

  /** What came of it; empty if nothing was measured. */
  Optional<PolicyResult> result(boolean interrupted) {
    if (turns.isEmpty()) {
      return Optional.empty();
    }
    // Both the client and the store check what comes back; either may see what the other misses.
    return Optional.of(
        new PolicyResult(
            policy,
            warmUpSeconds,
            turns,
            clients.latencies(),
            samples,
            workload.verifiedReads(),
            Math.max(workload.wrongReads(), store.wrongValues()),
            clients.failures(),
            interrupted));
  }

  @Override
  public void close() throws IOException {
    try (HFileStore closing = store;
        ClientThreads ending = clients) {
      // Clients first, then their store.
    } finally {
      if (cache != null) {
        cache.close();
      }
    }
  }
}
