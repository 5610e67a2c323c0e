// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.model.load.ClientStep.Kind;
import io.nvcache.model.load.Tally;
import io.nvcache.model.machine.Device;
import io.nvcache.model.machine.ModelMachine;
import org.jspecify.annotations.Nullable;

/**
 * What a run has counted up to a moment; the difference of two is a result.
 *
 * @param scale that the run's sizes and durations are divided by
 * @param cached whether there is a cache that counts
 * @param seconds since the beginning, in virtual time
 */
record RunTotals(
    int scale,
    boolean cached,
    double seconds,
    long operations,
    long reads,
    long updates,
    long lookups,
    long hits,
    long inserted,
    long evicted,
    long invalidated,
    long admittedBytes,
    double nvramWritten,
    double nvramRead,
    double diskWritten,
    double diskRead,
    RunResult.Load processors,
    RunResult.Load disk,
    RunResult.Load nvram) {
  private static final double GIGA = 1e9;

  static RunTotals of(ModelMachine machine, int scale, Tally tally, @Nullable CacheStats stats) {
    return new RunTotals(
        scale,
        stats != null,
        machine.simulation().nowSeconds(),
        tally.all(),
        tally.of(Kind.READ) + tally.of(Kind.SCAN),
        tally.of(Kind.UPDATE) + tally.of(Kind.INSERT),
        stats == null ? 0 : stats.lookups(),
        stats == null ? 0 : stats.hits(),
        stats == null ? 0 : stats.offers(OfferResult.ADMITTED),
        stats == null ? 0 : stats.evictions() + stats.displacements(),
        stats == null ? 0 : stats.invalidations(),
        stats == null ? 0 : stats.admittedBytes(),
        machine.nvram().second().total(),
        machine.nvram().first().total(),
        machine.disk().second().total(),
        machine.disk().first().total(),
        load(machine.processors()),
        load(machine.disk()),
        load(machine.nvram()));
  }

  /** Seconds, not yet parts of them. */
  private static RunResult.Load load(Device device) {
    return new RunResult.Load(device.busySeconds(), device.jobSeconds());
  }

  /** What was counted since then. */
  RunResult since(RunTotals before) {
    double passed = seconds - before.seconds;
    long looked = lookups - before.lookups;
    long put = inserted - before.inserted;
    long outdated = invalidated - before.invalidated;
    return new RunResult(
        passed * scale,
        (operations - before.operations) / passed,
        (reads - before.reads) / passed,
        (updates - before.updates) / passed,
        looked * (double) scale,
        hitRatio(looked, hits - before.hits),
        put * (double) scale,
        (evicted - before.evicted + outdated) * (double) scale,
        outdated * (double) scale,
        (admittedBytes - before.admittedBytes) * (double) scale / GIGA,
        (nvramWritten - before.nvramWritten) * scale / GIGA,
        (nvramRead - before.nvramRead) * scale / GIGA,
        (diskWritten - before.diskWritten) * scale / GIGA,
        (diskRead - before.diskRead) * scale / GIGA,
        part(processors, before.processors, passed),
        part(disk, before.disk, passed),
        part(nvram, before.nvram, passed));
  }

  private double hitRatio(long looked, long hit) {
    if (!cached) {
      return Double.NaN;
    }
    return looked == 0 ? 0 : (double) hit / looked;
  }

  private static RunResult.Load part(RunResult.Load now, RunResult.Load before, double passed) {
    return new RunResult.Load(
        (now.busy() - before.busy()) / passed, (now.jobs() - before.jobs()) / passed);
  }
}
