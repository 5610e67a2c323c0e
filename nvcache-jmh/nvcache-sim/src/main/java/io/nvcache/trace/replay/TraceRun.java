// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.BlockPlacement;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceFormat;
import io.nvcache.trace.TraceSource;
import io.nvcache.trace.replay.TraceGroup.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Replays everything that the settings ask for, several replays at a time. */
public final class TraceRun {
  private final Settings settings;
  private final Progress progress;
  private final StopSignal stop;

  public TraceRun(Settings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /**
   * Runs; the groups are in the order of the settings. If the stop is signalled, those that are
   * done.
   *
   * @throws IOException if a trace can't be read
   */
  public List<TraceGroup> run() throws IOException, InterruptedException {
    List<TraceGroup> groups = new ArrayList<>();
    ExecutorService executor = Executors.newFixedThreadPool(settings.threads());
    try {
      for (TraceSource source : settings.traces()) {
        Trace trace = source.open(settings.format(), settings.seed());
        Trace passed = DramFilter.apply(trace, settings.dram().of(trace.footprintBytes()));
        run(source.name(), passed, executor, groups);
      }
    } catch (CancellationException e) {
      return groups;
    } finally {
      executor.shutdownNow();
    }
    return groups;
  }

  private void run(String name, Trace trace, ExecutorService executor, List<TraceGroup> results)
      throws InterruptedException {
    long groups = (long) settings.capacities().size() * settings.budgets().size();
    long replays =
        settings.policies().size()
            + settings.policies().stream().filter(this::isComparedAtEqualWrites).count();
    long steps = groups * replays * trace.records();
    AtomicLong done = new AtomicLong();
    FutureUse future = settings.bounds() ? new FutureUse(trace.withoutRewrites()) : null;
    try (Progress.Phase phase = progress.begin(name, steps)) {
      List<PendingGroup> pending = new ArrayList<>();
      for (Amount capacity : settings.capacities()) {
        for (Amount budget : settings.budgets()) {
          pending.add(new PendingGroup(name, trace, future, capacity, budget));
        }
      }
      for (PendingGroup group : pending) {
        group.start(executor, new Steps(phase, done));
      }
      for (PendingGroup group : pending) {
        group.startAtEqualWrites(executor, new Steps(phase, done));
      }
      for (PendingGroup group : pending) {
        results.add(group.await());
      }
    }
  }

  private boolean isComparedAtEqualWrites(TracePolicy policy) {
    return policy.spending() == TracePolicy.Spending.WITHIN_BUDGET
        && !isDefault(policy)
        && settings.policies().stream().anyMatch(TraceRun::isDefault);
  }

  private static boolean isDefault(TracePolicy policy) {
    return policy.name().equals(TracePolicies.DEFAULT);
  }

  /** Adds the steps of all replays up. */
  private record Steps(Progress.Phase phase, AtomicLong done) {
    void add(long more, String policy) {
      phase.at(done.addAndGet(more), policy);
    }
  }

  private final class PendingGroup {
    private final String name;
    private final Trace trace;
    private final @Nullable FutureUse future;
    private final Amount capacity;
    private final Amount budget;
    private final ReplaySettings replaySettings;
    private final List<Future<ReplayResult>> results = new ArrayList<>();
    private final Map<TracePolicy, Future<ReplayResult>> equals = new HashMap<>();
    private final List<Future<Bounds>> bounds = new ArrayList<>();

    PendingGroup(
        String name, Trace trace, @Nullable FutureUse future, Amount capacity, Amount budget) {
      this.name = name;
      this.trace = trace;
      this.future = future;
      this.capacity = capacity;
      this.budget = budget;
      long bytes = capacity.of(trace.footprintBytes());
      requireRoom(name, capacity, bytes, trace.largestSizeBytes());
      this.replaySettings =
          new ReplaySettings(
              bytes,
              budget.value(),
              settings.removalWeight(),
              Math.max(1, settings.second().of(bytes / trace.meanBlockBytes())),
              settings.placement(),
              settings.seed());
    }

    void start(ExecutorService executor, Steps steps) {
      for (TracePolicy policy : settings.policies()) {
        results.add(executor.submit(() -> replay(policy, replaySettings, steps)));
      }
      FutureUse known = future;
      if (known != null) {
        Callable<Bounds> task = () -> Bounds.of(trace.withoutRewrites(), known, replaySettings);
        bounds.add(executor.submit(task));
      }
    }

    private ReplayResult replay(TracePolicy policy, ReplaySettings how, Steps steps) {
      long[] reported = {0};
      return new Replay(trace, how)
          .run(
              policy,
              at -> {
                if (stop.isRequested()) {
                  throw new CancellationException();
                }
                steps.add(at - reported[0], policy.name());
                reported[0] = at;
              });
    }

    /** Once more, with the budget that the default policy spent, for those that keep to one. */
    void startAtEqualWrites(ExecutorService executor, Steps steps) throws InterruptedException {
      List<TracePolicy> policies = settings.policies();
      for (int i = 0; i < policies.size(); i++) {
        if (isDefault(policies.get(i))) {
          double spent = get(results.get(i)).budgetSpent((double) trace.meanBlockBytes());
          ReplaySettings equal = replaySettings.withBudget(spent);
          for (TracePolicy policy : policies) {
            if (isComparedAtEqualWrites(policy)) {
              equals.put(policy, executor.submit(() -> replay(policy, equal, steps)));
            }
          }
        }
      }
    }

    TraceGroup await() throws InterruptedException {
      List<Cell> cells = new ArrayList<>();
      for (int i = 0; i < results.size(); i++) {
        TracePolicy policy = settings.policies().get(i);
        Future<ReplayResult> equal = equals.get(policy);
        cells.add(new Cell(policy, get(results.get(i)), equal == null ? null : get(equal)));
      }
      return new TraceGroup(
          name,
          capacity,
          budget,
          replaySettings.capacityBytes(),
          (double) trace.lookups() * trace.meanBlockBytes() / replaySettings.capacityBytes(),
          bounds.isEmpty() ? null : get(bounds.get(0)),
          cells);
    }
  }

  private static void requireRoom(String name, Amount capacity, long bytes, int largestBytes) {
    long least = Replay.leastCapacityBytes(largestBytes);
    if (bytes < least) {
      throw new IllegalArgumentException(
          "capacity "
              + capacity.text()
              + " of trace "
              + name
              + " is "
              + bytes
              + " bytes; its largest block takes "
              + largestBytes
              + ", so the cache must have at least "
              + least
              + ": raise --capacity");
    }
  }

  private static <T> T get(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /**
   * What is to be replayed: every policy on every trace, with every size and budget.
   *
   * @param traces where they come from
   * @param format of the files; null to find out
   * @param policies what to compare
   * @param capacities sizes of the cache
   * @param budgets overhead targets
   * @param dram size of the DRAM tier
   * @param removalWeight medium writes that a removal counts for
   * @param second lookups that pass in a second of virtual time, or a share of the blocks that the
   *     cache holds
   * @param placement how blocks lie on the medium
   * @param seed of all that is random
   * @param threads how many replays run at a time
   * @param bounds whether to compute what could be reached
   */
  public record Settings(
      List<TraceSource> traces,
      @Nullable TraceFormat format,
      List<TracePolicy> policies,
      List<Amount> capacities,
      List<Amount> budgets,
      Amount dram,
      double removalWeight,
      Amount second,
      BlockPlacement placement,
      long seed,
      int threads,
      boolean bounds) {}
}
