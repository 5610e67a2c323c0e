// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.VictimPricing;
import io.nvcache.background.Ending;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.policy.RegionPricing;
import io.nvcache.internal.read.CopiedPins;
import io.nvcache.internal.read.Lookups;
import io.nvcache.internal.read.PinReads;
import io.nvcache.internal.read.PinnedMedium;
import io.nvcache.internal.regions.AppendLog;
import io.nvcache.internal.regions.DriveReturn;
import io.nvcache.internal.regions.LogFlush;
import io.nvcache.internal.regions.LostRegions;
import io.nvcache.internal.regions.RegionCensus;
import io.nvcache.internal.regions.RegionCodec;
import io.nvcache.internal.regions.RegionDiscard;
import io.nvcache.internal.regions.RegionReclaim;
import io.nvcache.internal.regions.RegionSpace;
import io.nvcache.internal.regions.RegionStore;
import io.nvcache.internal.regions.RegionTable;
import io.nvcache.internal.regions.RegionWork;
import io.nvcache.internal.regions.Reinsertion;
import io.nvcache.internal.regions.RestartWork;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.internal.remove.FileIdentityHooks;
import io.nvcache.internal.restart.DurableRegions;
import io.nvcache.internal.restart.DurableWork;
import io.nvcache.internal.restart.FileIdentities;
import io.nvcache.internal.restart.FinalWrites;
import io.nvcache.internal.restart.IdentifiedFiles;
import io.nvcache.internal.restart.RegionRecords;
import io.nvcache.internal.restart.RegionRestore;
import io.nvcache.internal.restart.RegionScan;
import io.nvcache.internal.restart.RestartBooks;
import io.nvcache.internal.restart.RestartIdentity;
import io.nvcache.internal.restart.RestoreProgress;
import io.nvcache.internal.restart.RestoredEntries;
import io.nvcache.internal.restart.RestoredSlots;
import io.nvcache.internal.restart.Revocations;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.Medium;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Blocks in regions, which are appended to and emptied as a whole. */
final class RegionShape implements Shape {
  private static final Logger LOG = LoggerFactory.getLogger(RegionShape.class);

  /** Threads that read an earlier cache's regions: a drive answers as many as fast as one. */
  private static final int SCAN_THREADS = 8;

  private final Sizing sizing;
  private final @Nullable RestartIdentity kept;
  private final RestoreProgress progress;
  private final long discardBytesPerSecond;
  private final AppendLog log;
  private final RegionSpace space;
  private final BlockTables tables;
  private final RegionPricing pricing;

  /**
   * Begins with regions that are all free.
   *
   * @param kept who writes the superblocks; null if the next cache is to find nothing
   * @param codec seals blocks, or does not
   * @param residents prices the blocks that are there
   */
  RegionShape(
      Sizing sizing,
      EngineBase base,
      BlockIndex index,
      @Nullable RestartIdentity kept,
      RegionCodec codec,
      VictimPricing residents,
      RegionOptions options) {
    this.sizing = sizing;
    this.kept = kept;
    this.progress = options.progress();
    this.discardBytesPerSecond = options.discardBytesPerSecond();
    UUID instance = kept == null ? UUID.randomUUID() : kept.instance();
    Medium medium = base.medium();
    RegionTable table = new RegionTable(sizing, medium.drives());
    this.log = new AppendLog(table, sizing, medium.alignmentBytes(), instance, codec);
    this.space =
        new RegionSpace(
            medium, log, index, codec, base.settings(), base.guard(), base.bufferBytes());
    this.tables =
        new BlockTables(
            index,
            base.newFiles(),
            log.locations(),
            new MediumSpace(medium, log.locations()),
            space);
    this.pricing = new RegionPricing(residents, table::hasRoomToSpare, sizing.expectedBlocks());
  }

  /**
   * What else is asked for of regions.
   *
   * @param discardBytesPerSecond of dead ones; 0 for none
   * @param progress of restoring an earlier cache's
   */
  record RegionOptions(long discardBytesPerSecond, RestoreProgress progress) {}

  @Override
  public VictimPricing pricing() {
    return pricing;
  }

  @Override
  public BlockTables tables() {
    return tables;
  }

  @Override
  public StoreParts store(EngineParts parts) {
    EngineBase base = parts.base;
    DriveReturn back =
        new DriveReturn(base.medium().drives(), base.threads().maintenance("drives"));
    if (kept == null) {
      RegionWork work = work(parts, RestartWork.NONE, back);
      return parts(parts, work, FileIdentityHooks.NONE, List.of(work, back), List.of());
    }
    FileIdentities files = new FileIdentities(tables.files(), tables.index().slots());
    DurableRegions regions = new DurableRegions(base.medium(), log, sizing, kept);
    DurableWork durable = durable(parts, regions, files);
    RegionWork work = work(parts, durable, back);
    Executor revoker = base.threads().askingThread("revocations");
    Revocations revocations =
        new Revocations(regions, durable::keepRevocations, revoker, base.gate(), base.hangNanos());
    return parts(
        parts,
        work,
        new IdentifiedFiles(files, revocations),
        List.of(work, new FinalWrites(work::finish, revocations), back),
        revoker instanceof AutoCloseable thread ? List.of(thread) : List.of());
  }

  private StoreParts parts(
      EngineParts parts,
      RegionWork work,
      FileIdentityHooks identities,
      List<Ending> background,
      List<AutoCloseable> companions) {
    return new StoreParts(
        new RegionStore(space, work, parts.base.counters()),
        identities,
        work::start,
        background,
        companions,
        List.of(space));
  }

  private RegionWork work(EngineParts parts, RestartWork restart, DriveReturn back) {
    EngineBase base = parts.base;
    return new RegionWork(
        log,
        new LogFlush(
            space,
            restart,
            parts.remover,
            parts.slots,
            base.governor(),
            base.counters(),
            parts.mediumFailures),
        reclaim(parts),
        new RegionDiscard(
            space,
            restart,
            discardBytesPerSecond,
            base.nanoTime(),
            base.guard(),
            base.gate(),
            base.counters()),
        new LostRegions(base.medium().drives(), log, parts.remover, parts.slots, back),
        restart,
        base.threads().maintenance("regions"));
  }

  private RegionReclaim reclaim(EngineParts parts) {
    EngineBase base = parts.base;
    return new RegionReclaim(
        new RegionCensus(tables, log, parts.policies.eviction(), parts.slots),
        log,
        parts.policies,
        parts.remover,
        pricing,
        new Reinsertion(
            tables.index(),
            space,
            parts.policies.admission(),
            base.governor(),
            base.counters(),
            base.guard()));
  }

  private DurableWork durable(EngineParts parts, DurableRegions regions, FileIdentities files) {
    EngineBase base = parts.base;
    return new DurableWork(
        regions,
        space,
        new RegionRecords(tables, space, files, regions),
        restore(parts, regions, files),
        new RestartBooks(tables.files(), base.governor(), base.counters(), parts.mediumFailures),
        base.guard());
  }

  /** Returns what restores an earlier cache's blocks; null if there are none. */
  private @Nullable RegionRestore restore(
      EngineParts parts, DurableRegions regions, FileIdentities files) {
    EngineBase base = parts.base;
    Superblock previous = regions.previous();
    if (previous == null) {
      progress.cold(regions.reason());
      LOG.info("{} starts cold: {}", base.medium().describe(), regions.reason());
      return null;
    }
    base.governor()
        .resumeDay(previous.daySpareBytes(), System.currentTimeMillis() - previous.millis());
    int threads = base.threads() == EngineThreads.OWN ? SCAN_THREADS : 1;
    return new RegionRestore(
        log,
        new RegionScan(regions::newReader, threads, base.gate()),
        new RestoredEntries(
            tables, log, files, previous, new RestoredSlots(parts.events), base.counters()),
        files,
        previous,
        base.gate(),
        progress);
  }

  /** Pins are copies: a region is emptied whatever is pinned. */
  @Override
  public PinReads pinReads(
      EngineParts parts, Lookups lookups, PinnedMedium medium, CopiedPins copied) {
    return copied;
  }
}
