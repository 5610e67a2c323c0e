// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.model.Operation.Kind;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario. On one thread, with nothing taken from the machine it runs on: the same scenario
 * gives the same result, to the last bit.
 */
public final class ModelRun {
  private static final double GIGA = 1e9;

  private final Scenario scenario;
  private final Machine machine;
  private final Tally free = new Tally();
  private final Tally paced = new Tally();
  private final Tier tier;
  private final Store store;

  private ModelRun(Scenario scenario) {
    this.scenario = scenario;
    ModelParameters parameters = scenario.parameters();
    this.machine = new Machine(parameters, scenario.system().nvram(parameters));
    int pages = blocks(scenario.pageCacheBytes());
    int buffers = blocks(scenario.bufferCacheBytes());
    this.tier = scenario.system().tier(context());
    this.store =
        new Store(
            machine,
            new BlockFile(blocks(scenario.dataBytes())),
            Math.max(1, pages),
            buffers,
            memory(Math.max(1, pages) + buffers),
            tier);
  }

  private TierContext context() {
    return new TierContext(
        machine,
        scenario.scale(),
        (long) scenario.nvramBytes(),
        (long) scenario.dramBytes(),
        scenario.seed(),
        free::all);
  }

  private Memory memory(int frames) {
    return scenario.system().use() == ModelSystem.Use.SYSTEM_MEMORY
        ? new MemoryMode(machine, frames, blocks(scenario.dramBytes()), scenario.seed())
        : Memory.DRAM;
  }

  private int blocks(double bytes) {
    return (int) Math.round(bytes / scenario.parameters().blockBytes());
  }

  /** Runs a scenario whose clients draw their operations. */
  public static RunResult run(Scenario scenario) {
    ModelRun run = new ModelRun(scenario);
    try (Tier tier = run.tier) {
      run.startClients();
      double seconds = scenario.workload().minutes() * 60 / scenario.scale();
      run.runFor(seconds);
      return run.result(tier.stats());
    }
  }

  /** Runs a scenario whose clients share one stream of operations, until its end. */
  static RunResult replay(Scenario scenario, Function<Store, OperationSource> stream, int threads) {
    ModelRun run = new ModelRun(scenario);
    try (Tier tier = run.tier) {
      OperationSource shared = stream.apply(run.store);
      for (int i = 0; i < threads; i++) {
        new Client(run.store, run.machine, shared, run.free, 0).resume();
      }
      run.runFor(Double.POSITIVE_INFINITY);
      return run.result(tier.stats());
    }
  }

  private void runFor(double seconds) {
    new Maintenance(tier, machine, scenario.scale()).resume();
    new Checkpoints(store, machine, scenario.scale()).resume();
    for (int i = 0; i < scenario.parameters().evictionWorkers(); i++) {
      new EvictionWorker(store, machine).resume();
    }
    machine.run(seconds);
  }

  private void startClients() {
    SplittableRandom random = new SplittableRandom(scenario.seed());
    for (ThreadGroup group : scenario.workload().groups()) {
      double rest = group.perSecond() == 0 ? 0 : group.threads() / group.perSecond();
      for (int i = 0; i < group.threads(); i++) {
        OperationSource source =
            new MixSource(
                scenario.workload(),
                group,
                store,
                machine.simulation(),
                scenario.scale(),
                random.split());
        new Client(store, machine, source, group.perSecond() == 0 ? free : paced, rest).resume();
      }
    }
  }

  private RunResult result(@Nullable CacheStats stats) {
    double seconds = machine.simulation().nowSeconds();
    double scale = scenario.scale();
    long inserted = stats == null ? 0 : stats.offers(OfferResult.ADMITTED);
    long evicted = stats == null ? 0 : stats.evictions() + stats.displacements();
    long invalidated = stats == null ? 0 : stats.invalidations();
    return new RunResult(
        free.all() / seconds,
        (free.of(Kind.READ) + free.of(Kind.SCAN)) / seconds,
        (free.of(Kind.UPDATE) + free.of(Kind.INSERT) + free.of(Kind.WRITE)) / seconds,
        stats == null ? 0 : stats.lookups() * scale,
        stats == null ? Double.NaN : stats.hitRatio(),
        inserted * scale,
        (evicted + invalidated) * scale,
        invalidated * scale,
        stats == null ? 0 : stats.admittedBytes() * scale / GIGA,
        machine.nvram().second().total() * scale / GIGA,
        machine.nvram().first().total() * scale / GIGA,
        machine.disk().second().total() * scale / GIGA,
        machine.disk().first().total() * scale / GIGA,
        load(machine.processors(), seconds),
        load(machine.disk(), seconds),
        load(machine.nvram(), seconds));
  }

  private static RunResult.Load load(Device device, double seconds) {
    return new RunResult.Load(device.busySeconds() / seconds, device.jobSeconds() / seconds);
  }
}
