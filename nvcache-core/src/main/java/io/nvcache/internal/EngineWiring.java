// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.background.Ending;
import io.nvcache.control.Condition;
import io.nvcache.internal.background.LastRound;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.background.Rounds;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.guard.GuardSettings;
import io.nvcache.internal.health.BypassReason;
import io.nvcache.internal.health.ConditionSources;
import io.nvcache.internal.health.ConditionWatch;
import io.nvcache.internal.health.DriveWatch;
import io.nvcache.internal.health.Health;
import io.nvcache.internal.health.MediumMonitor;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.policy.RegisteredFiles;
import io.nvcache.internal.read.Batches;
import io.nvcache.internal.read.BlockReads;
import io.nvcache.internal.read.CopiedPins;
import io.nvcache.internal.read.InPlaceReads;
import io.nvcache.internal.read.IndexWalk;
import io.nvcache.internal.read.Lookups;
import io.nvcache.internal.read.Peeks;
import io.nvcache.internal.read.PinnedMedium;
import io.nvcache.internal.read.Pins;
import io.nvcache.internal.read.Reader;
import io.nvcache.internal.read.RewriteReads;
import io.nvcache.internal.read.Samples;
import io.nvcache.internal.remove.Invalidations;
import io.nvcache.internal.remove.Reclaimer;
import io.nvcache.internal.restart.RestoreProgress;
import io.nvcache.internal.rewrite.EngineRewrite;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.tune.LiveTuning;
import io.nvcache.internal.tune.MediumProbe;
import io.nvcache.internal.tune.TuningRun;
import io.nvcache.internal.write.Forecasts;
import io.nvcache.internal.write.Inserter;
import io.nvcache.internal.write.OfferCounts;
import io.nvcache.internal.write.Offers;
import io.nvcache.internal.write.Publication;
import io.nvcache.medium.Durability;
import io.nvcache.memory.MemoryLimit;
import io.nvcache.shadow.LiveShadows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** Puts the classes of one engine together, from what they all use to what calls enter by. */
final class EngineWiring {
  private final EngineParts parts;
  private final EngineBase base;
  private final BlockTables tables;
  private final Policies policies;
  private final Shape shape;
  private final Shape.StoreParts store;
  private final LiveShadows shadows;
  private final Samples samples;
  private final Facts facts;
  private final Maintenance maintenance;
  private final BlockReads reads;

  EngineWiring(EngineParts parts, Shape shape, LiveShadows shadows, Samples samples, Facts facts) {
    this.parts = parts;
    this.base = parts.base;
    this.tables = parts.tables;
    this.policies = parts.policies;
    this.shape = shape;
    this.shadows = shadows;
    this.samples = samples;
    this.facts = facts;
    this.maintenance = base.threads().maintenance("maintenance");
    this.reads = new BlockReads(tables);
    this.store = shape.store(parts);
  }

  /**
   * The facts of a cache that its parts do not have.
   *
   * @param expectedBlockBytes the mean length of its blocks
   * @param guards the bounds of failures, and what is checked
   * @param dataSet the files of its store
   * @param progress of restoring an earlier cache's blocks
   * @param builtAt the place that has it built, in words
   */
  record Facts(
      int expectedBlockBytes,
      GuardSettings guards,
      RegisteredFiles dataSet,
      RestoreProgress progress,
      String builtAt) {}

  Engine engine() {
    CallersHold hold = new CallersHold(); // No field: background work holds this object.
    base.settings().changes().heldBy(hold);
    // One thread each: a measurement that takes its time must not put the check off.
    Executor checker = base.threads().askingThread("check");
    Executor measurer = base.threads().askingThread("tuning");
    MediumMonitor monitor =
        new MediumMonitor(
            tables,
            base.counters(),
            base.guard(),
            facts.guards(),
            base.gate(),
            base.nanoTime(),
            checker);
    Lookups lookups =
        new Lookups(
            tables,
            policies.eviction(),
            base.counters(),
            samples.visits(),
            reads,
            parts.mediumFailures);
    Pins pins = pins(lookups, monitor);
    base.gate().keepOpen(pins); // They have the medium's handle, which ends it with the last.
    StatsReader stats =
        new StatsReader(
            tables,
            policies,
            base.counters(),
            facts.dataSet(),
            base.gate(),
            () -> base.scratch().bytes() + pins.copyBytes());
    Shutdown shutdown = shutdown(stats, pins);
    shutdown.addCompanion(monitor::reportPins);
    addThread(shutdown, checker);
    addThread(shutdown, measurer);
    store.companions().forEach(shutdown::addCompanion);
    Offers offers = offers();
    RewriteReads rewriteReads =
        new RewriteReads(tables, policies, reads, base.guard(), base.counters());
    Forecasts forecasts = new Forecasts(base.gate(), policies.admission());
    DroppedCache.watch(hold, shutdown, base.medium().describe(), facts.builtAt());
    return new Engine(
        batches(reader(lookups, pins, hold)),
        offers,
        invalidations(),
        controls(monitor, measurer, stats, shutdown, hold),
        this::start,
        shutdown,
        () ->
            new EngineRewrite(
                base.gate(), rewriteReads, offers, forecasts, tables.files()::deadBlocks, hold));
  }

  private Reader reader(Lookups lookups, Pins pins, CallersHold hold) {
    return new Reader(
        base.gate(), base.guard(), base.counters(), lookups, pins, samples, base.scratch(), hold);
  }

  private Batches batches(Reader reader) {
    return new Batches(tables, base.guard(), base.gate(), reader);
  }

  private Pins pins(Lookups lookups, MediumMonitor monitor) {
    PinnedMedium medium = new PinnedMedium(base.medium(), base.settings(), base.counters());
    CopiedPins copied =
        new CopiedPins(tables, base.counters(), lookups, medium, base.bufferBytes());
    return new Pins(
        shape.pinReads(parts, lookups, medium, copied),
        copied,
        medium,
        monitor.pinLog(),
        InPlaceReads.of(tables, lookups, medium));
  }

  private Offers offers() {
    return new Offers(
        base.gate(),
        base.guard(),
        samples.visits(),
        inserter(),
        new OfferCounts(base.counters(), samples),
        maintenance,
        base.scratch());
  }

  private Inserter inserter() {
    return new Inserter(
        tables,
        store.store(),
        policies.admission(),
        base.governor(),
        new Publication(tables, policies.eviction(), parts.remover, parts.events, base.counters()),
        base.counters());
  }

  private Invalidations invalidations() {
    return new Invalidations(
        base.gate(),
        tables.files(),
        store.identities(),
        facts.dataSet(),
        parts.remover,
        samples.keys(),
        maintenance);
  }

  private void start(Runnable maintain) {
    maintenance.start(maintain);
    store.start().run();
  }

  private static void addThread(Shutdown shutdown, Executor thread) {
    if (thread instanceof AutoCloseable closeable) {
      shutdown.addCompanion(closeable);
    }
  }

  private Controls controls(
      MediumMonitor monitor,
      Executor measurer,
      StatsReader stats,
      Shutdown shutdown,
      CallersHold hold) {
    LiveTuning tuning = tuning(measurer);
    LastRound lastRound = new LastRound(maintenance, shadows::hasDied, base.nanoTime());
    ConditionWatch conditions = conditions(lastRound, monitor, hold);
    lookAtMemory(conditions, stats);
    return new Controls(
        base.settings(),
        facts.dataSet(),
        shadows,
        tuning,
        new Health(
            monitor,
            base.guard(),
            conditions,
            new DriveWatch(base.medium(), conditions),
            lastRound),
        stats,
        rounds(lastRound, monitor, conditions, tuning),
        tables.files(),
        () -> new IndexWalk(tables, reads, base.guard(), base.gate(), hold),
        new Peeks(tables, reads, base.guard(), base.gate()),
        facts.progress()::read,
        base.medium().describe(),
        tables.blocks().blocksAtOnce(),
        shutdown,
        hold);
  }

  private LiveTuning tuning(Executor measurer) {
    return new LiveTuning(
        base.settings(),
        bounds ->
            new TuningRun(
                base.settings(),
                base.counters(),
                facts.expectedBlockBytes(),
                base.nanoTime(),
                shadows,
                bounds),
        new MediumProbe(tables.space(), base.guard(), base.gate(), base.nanoTime()),
        base.gate(),
        measurer);
  }

  private ConditionWatch conditions(LastRound lastRound, MediumMonitor monitor, CallersHold hold) {
    return new ConditionWatch(
        base.counters(),
        base.guard(),
        new ConditionSources(
            policies.failures(),
            store.identities()::trouble,
            base.governor()::plannedPart,
            monitor::lostDrives,
            lastRound),
        new BypassReason(base.settings(), facts.dataSet(), tables.locations()),
        hold,
        base.nanoTime());
  }

  private Rounds rounds(
      LastRound lastRound, MediumMonitor monitor, ConditionWatch conditions, LiveTuning tuning) {
    Reclaimer reclaimer =
        new Reclaimer(
            tables,
            policies,
            base.counters(),
            parts.remover,
            base.gate(),
            maintenance,
            base.nanoTime());
    return new Rounds(
        lastRound,
        reclaimer::reclaim,
        store.store()::maintain,
        reclaimer::sweep,
        monitor::run,
        conditions::look,
        shadows::read,
        tuning::tick);
  }

  /** Said at the start: the kernel ends a process without a word when its cache has filled. */
  private void lookAtMemory(ConditionWatch conditions, StatsReader stats) {
    boolean isMemory = base.medium().durability() == Durability.NONE;
    long cacheBytes = stats.read().metadataBytes() + (isMemory ? base.medium().capacityBytes() : 0);
    String excess = MemoryLimit.ofThisProcess().excess(cacheBytes);
    if (excess != null) {
      conditions.hold(
          Condition.MEMORY_OVERCOMMITTED,
          excess + "; lower " + base.settings().nameOf("capacityBytes") + " or -Xmx");
    }
  }

  private List<Ending> background() {
    List<Ending> background = new ArrayList<>();
    background.add(maintenance);
    background.addAll(store.background());
    background.add(shadows);
    return background;
  }

  private Shutdown shutdown(StatsReader stats, Pins pins) {
    List<AutoCloseable> parts = new ArrayList<>();
    parts.add(shadows);
    parts.add(stats::freeze);
    parts.add(policies.admission());
    parts.add(policies.areOneObject() ? () -> {} : policies.eviction());
    parts.add(tables.index()); // After the policies, whose own threads may read its marks.
    parts.add(base.scratch());
    parts.addAll(store.buffers());
    parts.add(pins::close);
    return new Shutdown(base.gate(), background(), base.hangNanos(), parts);
  }
}
