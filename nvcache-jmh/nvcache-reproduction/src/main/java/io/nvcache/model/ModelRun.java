// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.load.ClientMix;
import io.nvcache.model.load.Tally;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Tier;
import io.nvcache.model.tier.TierContext;
import java.util.SplittableRandom;

/**
 * Runs a scenario. On one thread, with nothing taken from the machine it runs on: the same scenario
 * gives the same result, to the last bit.
 */
public final class ModelRun {
  private static final long MOST_BLOCKS = 1 << 29;

  private final Scenario scenario;
  private final ModelMachine machine;
  private final Tally free = new Tally();
  private final Tally paced = new Tally();
  private final Tier tier;
  private final Store store;

  private ModelRun(Scenario scenario) {
    this.scenario = scenario;
    ModelParameters parameters = scenario.parameters();
    this.machine = new ModelMachine(parameters, scenario.system().nvram(parameters));
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
        free::all,
        machine.nvram().second()::jobs);
  }

  private Memory memory(int frames) {
    return scenario.system().use() == ModelSystem.Use.SYSTEM_MEMORY
        ? new MemoryMode(machine, frames, blocks(scenario.dramBytes()), scenario.seed())
        : Memory.DRAM;
  }

  /** Memory may be given more than there is to put into it. */
  private int blocks(double bytes) {
    return (int) Math.min(MOST_BLOCKS, Math.round(bytes / scenario.parameters().blockBytes()));
  }

  /** Runs a scenario and returns its results. */
  public static RunResult run(Scenario scenario) {
    ModelRun run = new ModelRun(scenario);
    try (Tier tier = run.tier) {
      run.startClients();
      run.startThreads();
      RunTotals before = run.totals();
      run.machine.run(scenario.workload().minutes() * 60 / scenario.scale());
      return run.totals().since(before);
    }
  }

  private void startThreads() {
    new BackgroundThread(tier, machine, scenario.scale()).resume();
    new Checkpoints(store, machine, scenario.scale()).resume();
    for (int i = 0; i < scenario.parameters().evictionWorkers(); i++) {
      new EvictionWorker(store, machine).resume();
    }
  }

  private void startClients() {
    SplittableRandom random = new SplittableRandom(scenario.seed());
    for (ClientMix group : scenario.workload().groups()) {
      double rest = group.perSecond() == 0 ? 0 : group.threads() / group.perSecond();
      for (int i = 0; i < group.threads(); i++) {
        MixSource source =
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

  private RunTotals totals() {
    return RunTotals.of(machine, scenario.scale(), free, tier.stats());
  }
}
